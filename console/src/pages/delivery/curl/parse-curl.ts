import { LIMITS } from '#model/limits.ts';
import { type CurlArgument, type CurlBody, curlArguments, readCurlBody } from './curl-options.ts';
import { readShell, type ShellText } from './read-shell.ts';
import { toBytes, toText } from './shell-text.ts';
import { describeUnknown, type Word } from './words.ts';

/** The parts of a curl request that the debugger needs. */
export interface CurlRequest {
  /** Undefined if the command has no URL or it isn't known. */
  readonly url?: string | undefined;
  readonly hasAddress: boolean;
  readonly timestamp?: string | undefined;
  readonly signature?: string | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  /** Parts of the request that aren't in the command. */
  readonly unreadable: readonly string[];
  /** Reasons to reject it regardless of the signature. Empty if the request isn't fully known. */
  readonly refused: readonly string[];
}

const FURTHEST_CURL = 10_000;

/** A JSON body may contain the word curl. */
export function looksLikeCurl(text: string): boolean {
  const start = text.slice(0, FURTHEST_CURL);
  return !/^\s*[{[]/.test(start) && /(?:^|[\s|;&(`/])curl(?:\.exe)?\s+\S/.test(start);
}

/** Undefined if the text has no curl command. */
export function parseCurl(text: string): CurlRequest | undefined {
  const shell = readShell(text);
  const found = shell.commands.map(afterCurl).find((words) => words !== undefined);
  if (!found) return undefined;
  const misread = ofTheShell(shell);
  if (misread.length > 0) return { hasAddress: true, unreadable: misread, refused: [] };
  const given = curlArguments(found);
  const headers = readCurlHeaders(given);
  const body = readCurlBody(given);
  const addresses = given.filter(({ name }) => name === 'url' || name === '').map(({ value }) => value);
  const unreadable = [
    ...describeUnknown('The command', addresses.filter(isList)),
    ...headers.unreadable,
    ...body.unreadable,
  ];
  return {
    url: addressOf(addresses),
    hasAddress: addresses.length > 0,
    timestamp: headers.timestamp,
    signature: headers.signature,
    body: body.bytes === undefined ? undefined : toBytes(body.bytes),
    unreadable,
    refused: unreadable.length > 0 ? [] : [...body.refused, ...headers.refused(body)],
  };
}

function afterCurl(words: readonly Word[]): readonly Word[] | undefined {
  const at = words.findIndex(({ bytes }) => /^(?:.*\/)?curl(?:\.exe)?$/.test(bytes));
  return at < 0 ? undefined : words.slice(at + 1);
}

/** `"${options[@]}"` or `"$@"`: unknown arguments. */
function isList({ unknown }: Word): boolean {
  return unknown.some(({ text }) => /^\$(?:[@*]|\{.*\[[@*]\].*\})$/.test(text));
}

/** Values of unknown options end up among the URLs but rarely look like one. */
function addressOf(candidates: readonly Word[]): string | undefined {
  const texts = candidates.filter(({ unknown }) => unknown.length === 0).map(({ bytes }) => toText(bytes));
  return texts.find((each) => /^https?:\/\//i.test(each)) ?? texts.find((each) => /[.:/]/.test(each));
}

/** Problems that make the whole parse unreliable. */
function ofTheShell({ isOpen, hasCarets, hasTicks }: ShellText): string[] {
  if (hasTicks)
    return ['This is a PowerShell command. Copy it as a bash command, or enter the values separately.'];
  return [
    ...(hasCarets
      ? [
          'This is a Windows Command Prompt command. Copy it as a bash command, or enter the values separately.',
        ]
      : []),
    ...(isOpen ? ['A quote or parenthesis is never closed. Part of the command may be missing.'] : []),
  ];
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** The headers that decide whether a request is accepted. */
const NAMES = ['X-SVC-Timestamp', 'X-SVC-Signature', 'Content-Type', 'Content-Encoding'];

/** Reads the relevant headers of a command. */
function readCurlHeaders(given: readonly CurlArgument[]) {
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
