import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Answer } from '../gateway-responses.ts';

type Header = [name: string, value: string];

/** Headers that API Gateway sets itself. */
const DROPPED = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Reads a function's result, format 2.0, as an HTTP API does; undefined for what it can make nothing of. */
export function readHttpResponse(payload: string): Answer | undefined {
  const result: unknown = JSON.parse(payload);
  if (!isResponse(result)) return inferred(result);
  const status = Number(result.statusCode);
  const { body = '', isBase64Encoded } = result;
  const headers = readHeaders(result.headers ?? {}, result.cookies ?? []);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if ((typeof body !== 'string' && body !== null) || headers === undefined) return undefined;
  return {
    statusCode: status,
    headers,
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

/** Without a status it is no response but the body of one. */
function inferred(result: unknown): Answer {
  return {
    statusCode: 200,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(typeof result === 'string' ? result : JSON.stringify(result)),
  };
}

function isResponse(result: unknown): result is Record<string, unknown> {
  return typeof result === 'object' && result !== null && 'statusCode' in result;
}

function readHeaders(given: unknown, cookies: unknown): Header[] | undefined {
  if (typeof given !== 'object' || given === null || !Array.isArray(cookies)) return undefined;
  const headers = [
    ...Object.entries(given).map(([name, value]): Header => [name.toLowerCase(), String(value)]),
    ...cookies.map((cookie): Header => ['set-cookie', String(cookie)]),
  ].filter(([name]) => !DROPPED.has(name));
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
  } catch {
    return undefined;
  }
  const hasType = headers.some(([name]) => name === 'content-type');
  return hasType ? headers : [...headers, ['content-type', 'text/plain;charset=UTF-8']];
}
