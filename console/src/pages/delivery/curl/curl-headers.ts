import { LIMITS } from '#submission/limits.ts';
import type { CurlBody } from './curl-body.ts';
import type { CurlArgument } from './curl-options.ts';
import { toText } from './shell-text.ts';
import { describeUnknown, type Word } from './words.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** The headers that decide whether a request is accepted. */
const NAMES = ['X-SVC-Timestamp', 'X-SVC-Signature', 'Content-Type', 'Content-Encoding'];

/** Reads the relevant headers of a command. */
export function readCurlHeaders(given: readonly CurlArgument[]) {
  const headers = given.filter(({ name }) => name === 'header').map(({ value }) => value);
  const read = headers.map((word) => ({ ...readHeader(toText(word.bytes)), unknown: word.unknown }));
  const sent = read.filter((each) => each.name !== undefined);
  const called = (name: string) => sent.filter((each) => each.name === name.toLowerCase());
  const timestamps = called('X-SVC-Timestamp');
  const signatures = called('X-SVC-Signature');
  return {
    timestamp: knownValue(timestamps.at(-1)),
    signature: knownValue(signatures.at(-1)),
    unreadable: [
      ...NAMES.flatMap((name) => describeUnknown(name, called(name))),
      ...describeUnknown(
        'A header',
        read.filter(({ name }) => name === undefined || /[$`]/.test(name)),
      ),
      ...headers
        .filter(({ bytes }) => bytes.startsWith('@'))
        .map(
          ({ bytes }) => `Headers come from the file ${toText(bytes.slice(1))}, which can’t be read here.`,
        ),
    ],
    refused: (body: Pick<CurlBody, 'bytes' | 'isJson'>) => [
      ...(timestamps.length > 1 ? ['X-SVC-Timestamp is sent more than once.'] : []),
      ...(signatures.length > 1 ? ['X-SVC-Signature is sent more than once.'] : []),
      // A generated key is usually valid, so don't reject the command for it.
      ...keyRefusal(called('X-SVC-Idempotency-Key').flatMap((key) => knownValue(key) ?? [])),
      ...typeRefusal(
        called('Content-Type').map(({ value }) => value),
        body,
      ),
      ...called('Content-Encoding')
        .filter(({ value }) => !/^(?:identity)?$/i.test(value))
        .map(({ value }) => `The body has Content-Encoding: ${value}. Send it uncompressed.`),
    ],
  };
}

interface Header {
  readonly name: string;
  readonly value: string;
}

/** `Name: value`, or `Name;` for an empty value. `Name:` removes a default header of curl. */
function readHeader(text: string): Header | { readonly name?: undefined } {
  const [, name = '', mark, value = ''] = /^([^:;]+)([:;])(.*)$/s.exec(text) ?? [];
  const trimmed = withoutSpaceAround(value);
  if (mark === undefined || (mark === ':') === (trimmed === '')) return {};
  return { name: name.trim().toLowerCase(), value: trimmed };
}

function knownValue(header: (Header & Pick<Word, 'unknown'>) | undefined): string | undefined {
  return header?.unknown.length === 0 ? header.value : undefined;
}

function keyRefusal(keys: readonly string[]): string[] {
  if (keys.length > 1) return ['X-SVC-Idempotency-Key is sent more than once.'];
  const [key] = keys;
  if (key === undefined) return [];
  const { length } = [...key];
  const most = LIMITS.idempotencyKeyCharacters;
  return length <= most ? [] : [`X-SVC-Idempotency-Key has ${length} characters. The maximum is ${most}.`];
}

function typeRefusal(
  types: readonly string[],
  { bytes, isJson }: Pick<CurlBody, 'bytes' | 'isJson'>,
): string[] {
  if (types.length > 1) return ['Content-Type is sent more than once.'];
  const [type] = types;
  if (type !== undefined)
    return JSON_TYPE.test(type)
      ? []
      : [`Content-Type is ${type}. The service accepts only application/json.`];
  if (bytes === undefined || isJson) return [];
  return [
    "Without a Content-Type header, curl sends form data. Add --header 'Content-Type: application/json'.",
  ];
}

/** HTTP ignores whitespace around header values; line endings come from copying. */
export function withoutSpaceAround(value: string): string {
  return value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
