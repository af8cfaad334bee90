// @ts-check
/**
 * Runs in a worker thread in place of Lambda's Node.js runtime: loads one function and invokes it. Written in
 * JavaScript because each thread would load its own compiler to strip types (11 MB and some milliseconds).
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { format } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { makeRest } from './rest.js';

/** @import { EnvironmentMessage, EnvironmentSettings, Invocation } from './environment.ts' */
/** @typedef {(event: unknown, context: unknown) => unknown} Handler */

/** @type {readonly (readonly ['trace' | 'debug' | 'log' | 'info' | 'warn' | 'error', string])[]} */
const LEVELS = [
  ['trace', 'TRACE'],
  ['debug', 'DEBUG'],
  ['log', 'INFO'],
  ['info', 'INFO'],
  ['warn', 'WARN'],
  ['error', 'ERROR'],
];

const LONGEST_BURST_INVOCATIONS = 1_000;

/** @type {EnvironmentSettings} */
const settings = workerData;
/** @type {string | undefined} */
let requestId;
replaceConsole(settings.logFormat, () => requestId);

const handler = load(settings);
const rest = makeRest(LONGEST_BURST_INVOCATIONS);
parentPort?.on('message', (/** @type {Invocation} */ invocation) => void run(invocation).finally(rest));
send({ type: 'ready' });

/**
 * @param {EnvironmentSettings} settings
 * @returns {Handler}
 */
function load({ codeFolder, handler }) {
  const dot = handler.lastIndexOf('.');
  const stem = join(codeFolder, handler.slice(0, dot));
  const file = ['.js', '.mjs', '.cjs'].map((ending) => stem + ending).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`Runtime.ImportModuleError: cannot find ${stem}`);
  const found = createRequire(file)(file)[handler.slice(dot + 1)];
  if (typeof found !== 'function') throw new Error(`Runtime.HandlerNotFound: ${handler} is no function`);
  return found;
}

/** @param {Invocation} invocation */
async function run(invocation) {
  requestId = invocation.requestId;
  process.env._X_AMZN_TRACE_ID = invocation.traceId;
  const context = {
    ...settings.context,
    awsRequestId: invocation.requestId,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, invocation.deadline - Date.now()),
  };
  try {
    const result = await handler(JSON.parse(invocation.event), context);
    send({ type: 'returned', payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'string', message: String(error) };
    console.error('Invoke Error', error);
    send({ type: 'threw', errorType: name, errorMessage: message });
  }
}

/** @param {EnvironmentMessage} message */
function send(message) {
  parentPort?.postMessage(message);
}

/**
 * Makes `console` write as on Lambda: level and request id on every line, as text or JSON.
 * @param {'JSON' | 'Text'} logFormat
 * @param {() => string | undefined} requestId
 */
function replaceConsole(logFormat, requestId) {
  for (const [method, level] of LEVELS) {
    console[method] = (/** @type {unknown[]} */ ...values) => {
      const timestamp = new Date().toISOString();
      const line =
        logFormat === 'JSON'
          ? JSON.stringify({ timestamp, level, requestId: requestId(), message: messageOf(values) })
          : // Carriage returns keep a multi-line message together in CloudWatch.
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
