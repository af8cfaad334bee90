import type { CurlArgument } from './curl-options.ts';
import { type ByteText, toText } from './shell-text.ts';
import { unknownIn } from './words.ts';

export interface CurlBody {
  /** Undefined where the command sends none, or one that is not in its text. */
  readonly bytes?: ByteText;
  /** Sent by --json, which says so in the Content-Type. */
  readonly isJson: boolean;
  readonly unreadable: readonly string[];
  readonly refused: readonly string[];
}

const DATA = new Set(['data', 'data-ascii', 'data-binary', 'data-raw', 'json']);
const UNREADABLE: Readonly<Record<string, string>> = {
  'data-urlencode': '--data-urlencode changes the text on the way. Send the JSON with --data-raw.',
  form: '--form sends a form in parts, and the service takes JSON only. Send the JSON with --data-raw.',
  'form-string':
    '--form-string sends a form in parts, and the service takes JSON only. Send the JSON with --data-raw.',
  'upload-file': '--upload-file sends a file, which cannot be read from here.',
  config: '--config reads more options from a file, which cannot be read from here.',
  next: 'Only the first of several requests of this command is of interest here: paste it alone.',
};

export function readCurlBody(given: readonly CurlArgument[]): CurlBody {
  const data = given.filter(({ name }) => DATA.has(name));
  const files = data.filter(({ name, value }) => name !== 'data-raw' && value.bytes.startsWith('@'));
  const unreadable = [
    ...files.map(({ value }) => fileProblem(toText(value.bytes.slice(1)))),
    ...unknownIn('The body', valuesOf(data)),
    ...unknownIn('The method', valuesOf(given.filter(({ name }) => name === 'request'))),
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

/** As curl joins them: with & between, but for --json. */
function joined(data: readonly CurlArgument[]): ByteText {
  return data.reduce(
    (body, { name, value }, at) => body + (at > 0 && name !== 'json' ? '&' : '') + value.bytes,
    '',
  );
}

function fileProblem(name: string): string {
  return name === '-'
    ? 'The body comes from standard input, which is not in the command. Give the body by itself.'
    : `The body comes from the file ${name}, which cannot be read from here. Give the body by itself.`;
}

function methodProblem(given: readonly CurlArgument[], hasData: boolean): string[] {
  const has = (wanted: string) => given.some(({ name }) => name === wanted);
  const named = given.findLast(({ name }) => name === 'request')?.value.bytes;
  const own = has('head') ? 'HEAD' : has('get') || !hasData ? 'GET' : 'POST';
  const method = named === undefined ? own : toText(named);
  if (has('get')) return ['With --get the data goes into the address, and the request has no body.'];
  if (method !== 'POST') return [`The request is sent as ${method}. The service takes POST only.`];
  return [];
}
