import type { CurlArgument } from './curl-options.ts';
import { type ByteText, toText } from './shell-text.ts';
import { describeUnknown } from './words.ts';

export interface CurlBody {
  /** Undefined if there is no body or it isn't known. */
  readonly bytes?: ByteText;
  /** Sent with --json, which sets the Content-Type. */
  readonly isJson: boolean;
  readonly unreadable: readonly string[];
  readonly refused: readonly string[];
}

const DATA = new Set(['data', 'data-ascii', 'data-binary', 'data-raw', 'json']);
const UNREADABLE: Readonly<Record<string, string>> = {
  'data-urlencode': '--data-urlencode changes the text. Send the JSON with --data-raw.',
  form: '--form sends multipart data, but the service accepts only JSON. Send the JSON with --data-raw.',
  'form-string':
    '--form-string sends multipart data, but the service accepts only JSON. Send the JSON with --data-raw.',
  'upload-file': '--upload-file sends a file, which can’t be read here.',
  config: '--config reads options from a file, which can’t be read here.',
  next: 'The command sends several requests. Paste only one.',
};

export function readCurlBody(given: readonly CurlArgument[]): CurlBody {
  const data = given.filter(({ name }) => DATA.has(name));
  const files = data.filter(({ name, value }) => name !== 'data-raw' && value.bytes.startsWith('@'));
  const unreadable = [
    ...files.map(({ value }) => fileProblem(toText(value.bytes.slice(1)))),
    ...describeUnknown('The body', valuesOf(data)),
    ...describeUnknown('The method', valuesOf(given.filter(({ name }) => name === 'request'))),
    ...given.flatMap(({ name }) => UNREADABLE[name] ?? []),
  ];
  const isKnown = files.length === 0 && data.every(({ value }) => value.unknown.length === 0);
  return {
    ...(data.length > 0 && isKnown && { bytes: joined(data) }),
    isJson: data.some(({ name }) => name === 'json'),
    unreadable,
    refused: methodProblem(given, data.length > 0),
  };
}

const valuesOf = (given: readonly CurlArgument[]) => given.map(({ value }) => value);

/** Joined like curl does: with &, except for --json. */
function joined(data: readonly CurlArgument[]): ByteText {
  return data.reduce(
    (body, { name, value }, at) => body + (at > 0 && name !== 'json' ? '&' : '') + value.bytes,
    '',
  );
}

function fileProblem(name: string): string {
  return name === '-'
    ? 'The body comes from standard input, which isn’t in the command. Enter the body separately.'
    : `The body comes from the file ${name}, which can’t be read here. Enter the body separately.`;
}

function methodProblem(given: readonly CurlArgument[], hasData: boolean): string[] {
  const has = (wanted: string) => given.some(({ name }) => name === wanted);
  const named = given.findLast(({ name }) => name === 'request')?.value.bytes;
  const own = has('head') ? 'HEAD' : has('get') || !hasData ? 'GET' : 'POST';
  const method = named === undefined ? own : toText(named);
  if (has('get')) return ['With --get, the data goes into the URL and the request has no body.'];
  if (method !== 'POST') return [`The request method is ${method}. The service accepts only POST.`];
  return [];
}
