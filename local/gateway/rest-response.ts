import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type Answer, GatewayFault } from './gateway-responses.ts';

const FIELDS = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/** Headers that a function cannot set: API Gateway renames them, since it sets them itself. */
const REMAPPED = new Set([
  'connection',
  'content-length',
  'date',
  'server',
  'www-authenticate',
  'x-amzn-requestid',
]);
const DROPPED = new Set([
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads a function's result as API Gateway does. Anything that is not of the proxy format is a fault of the function. */
export function readResponse(payload: string): Answer {
  const result = parse(payload);
  const status = Number(result.statusCode ?? 200);
  const { body } = result;
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new GatewayFault('DEFAULT_5XX');
  if (body !== undefined && body !== null && typeof body !== 'string') throw new GatewayFault('DEFAULT_5XX');
  return {
    statusCode: status,
    headers: readHeaders(result.headers, result.multiValueHeaders),
    body: decodeBody(body ?? '', result.isBase64Encoded === true),
  };
}

function parse(payload: string): Record<string, unknown> {
  const result: unknown = JSON.parse(payload);
  const isProxyFormat =
    typeof result === 'object' &&
    result !== null &&
    !Array.isArray(result) &&
    Object.keys(result).every((field) => FIELDS.has(field));
  if (!isProxyFormat) throw new GatewayFault('DEFAULT_5XX');
  return result as Record<string, unknown>;
}

/** Both forms together; where both name a header, the list counts. Without a type it is JSON. */
function readHeaders(single: unknown, multiple: unknown): [string, string][] {
  const headers = new Map<string, [string, string][]>();
  for (const [name, value] of entriesOf(single)) headers.set(name.toLowerCase(), [[name, text(value)]]);
  for (const [name, values] of entriesOf(multiple)) {
    if (!Array.isArray(values)) throw new GatewayFault('DEFAULT_5XX');
    headers.set(
      name.toLowerCase(),
      values.map((value) => [name, text(value)]),
    );
  }
  if (!headers.has('content-type')) headers.set('content-type', [['Content-Type', 'application/json']]);
  return [...headers].flatMap(([key, values]) => {
    if (DROPPED.has(key)) return [];
    return REMAPPED.has(key)
      ? values.map(([name, value]): [string, string] => [`x-amzn-Remapped-${name}`, value])
      : values;
  });
}

function entriesOf(headers: unknown): [string, unknown][] {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object' || Array.isArray(headers)) throw new GatewayFault('DEFAULT_5XX');
  const entries = Object.entries(headers);
  for (const [name] of entries) check(() => validateHeaderName(name));
  return entries;
}

function text(value: unknown): string {
  if (!['string', 'boolean', 'number'].includes(typeof value)) throw new GatewayFault('DEFAULT_5XX');
  check(() => validateHeaderValue('x', String(value)));
  return String(value);
}

function check(validate: () => void): void {
  try {
    validate();
  } catch {
    throw new GatewayFault('DEFAULT_5XX');
  }
}

function decodeBody(body: string, isBase64Encoded: boolean): Buffer {
  if (!isBase64Encoded) return Buffer.from(body);
  const decoded = Buffer.from(body, 'base64');
  // Node skips over what is not base64; API Gateway does not.
  if (decoded.toString('base64').replace(/=+$/, '') !== body.replace(/=+$/, '')) {
    throw new GatewayFault('API_CONFIGURATION_ERROR');
  }
  return decoded;
}
