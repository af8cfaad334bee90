// @ts-check
import { format } from 'node:util';

/** @type {readonly (readonly ['trace' | 'debug' | 'log' | 'info' | 'warn' | 'error', string])[]} */
const LEVELS = [
  ['trace', 'TRACE'],
  ['debug', 'DEBUG'],
  ['log', 'INFO'],
  ['info', 'INFO'],
  ['warn', 'WARN'],
  ['error', 'ERROR'],
];

/**
 * Makes `console` write as on Lambda: a level and the request id on every line, as text or as JSON.
 * @param {'JSON' | 'Text'} logFormat
 * @param {() => string | undefined} requestId
 */
export function replaceConsole(logFormat, requestId) {
  for (const [method, level] of LEVELS) {
    console[method] = (/** @type {unknown[]} */ ...values) => {
      const timestamp = new Date().toISOString();
      const line =
        logFormat === 'JSON'
          ? JSON.stringify({ timestamp, level, requestId: requestId(), message: messageOf(values) })
          : // CloudWatch keeps a message of several lines together by this.
            [timestamp, requestId(), level, format(...values).replaceAll('\n', '\r')].join('\t');
      process.stdout.write(`${line}\n`);
    };
  }
}

/** @param {readonly unknown[]} values */
function messageOf(values) {
  const [first] = values;
  const alone =
    values.length === 1 && typeof first === 'object' && first !== null && !(first instanceof Error);
  return alone ? first : format(...values);
}
