import { createHash, createHmac } from 'node:crypto';
import type { Secrets } from '#debugger/attempts.ts';
import type { MistakeName } from '#debugger/mistakes.ts';
import type { SignedInput } from '#debugger/signature-proof.ts';

/** Made as a sender's program would make them: only types come from the code under test. */

export const NOW = 1_800_000_000_000;
export const TIMESTAMP = '1800000000';
export const SECRET = 'whsec_9fJ2mQx7LrT0vYbN3kHc5ZpWsE8uAoDg1iRtXeKqVnM';
export const BODY = '{"name":"Zoë/Ana","company":"A&B","n":1.0,"tags":["x",{"b":2,"a":1}]}';

export interface Case {
  readonly title: string;
  readonly mistakes: readonly MistakeName[];
  readonly input: SignedInput;
  readonly secrets: Secrets;
}

export interface Made {
  readonly timestamp?: string;
  readonly body?: string | Buffer;
  /** What is signed in place of `{timestamp}.{body}`. */
  readonly message?: string | Buffer;
  readonly key?: string | Buffer;
  readonly algorithm?: string;
  readonly header?: (digest: Buffer, message: string | Buffer) => string;
  readonly secrets?: Secrets;
}

export function made(title: string, mistakes: MistakeName[], making: Made): Case {
  const { timestamp = TIMESTAMP, body = BODY, key = SECRET, algorithm = 'sha256' } = making;
  const { header = (digest: Buffer) => digest.toString('hex'), secrets = { current: SECRET } } = making;
  const bytes = Buffer.from(body as string);
  const message = making.message ?? Buffer.concat([Buffer.from(`${timestamp}.`), bytes]);
  const signature = header(createHmac(algorithm, key).update(message).digest(), message);
  return { title, mistakes, input: { timestamp, signature, body: bytes }, secrets };
}

export const dotted = (signed: string | Buffer) =>
  Buffer.concat([Buffer.from(`${TIMESTAMP}.`), Buffer.from(signed as string)]);

export const plainHash = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** As deep as the debugger reads, and as wide as fits: the JSON that grows most when it is indented. */
export function nestedBody(byteLength: number): string {
  const depth = 99;
  const width = Math.floor((byteLength - 2 * depth + 1) / 3);
  return '['.repeat(depth) + Array<string>(width).fill('""').join(',') + ']'.repeat(depth);
}

const signedBody = (
  title: string,
  mistakes: MistakeName[],
  signed: string | Buffer,
  body: string | Buffer = BODY,
) => made(title, mistakes, { body, message: dotted(signed) });

const LINES = '{\n  "a": 1,\n  "b": "x"\n}\n';
const CRLF = LINES.replaceAll('\n', '\r\n');
const bytes = [
  signedBody('echo', ['body_newline_added'], `${BODY}\n`),
  signedBody('echo on Windows', ['body_newline_added'], `${BODY}\r\n`),
  signedBody('newline cut', ['body_newline_cut'], BODY, `${BODY}\n`),
  signedBody('CRLF cut', ['body_newline_cut'], BODY, `${BODY}\r\n`),
  signedBody('trimmed', ['body_trimmed'], BODY, ` ${BODY} \n\n`),
  signedBody('CRLF to LF', ['body_crlf_to_lf'], LINES, CRLF),
  signedBody('LF to CRLF', ['body_lf_to_crlf'], CRLF, LINES),
  signedBody('BOM added', ['body_bom_added'], `\ufeff${BODY}`),
  signedBody('BOM cut', ['body_bom_cut'], BODY, `\ufeff${BODY}`),
  signedBody('Latin-1', ['body_latin1'], Buffer.from(BODY, 'latin1')),
  signedBody('UTF-8 of UTF-8', ['body_utf8_twice'], Buffer.from(BODY).toString('latin1')),
  signedBody(
    'Latin-1 read as UTF-8',
    ['body_read_as_text'],
    BODY.replace('ë', '\ufffd'),
    Buffer.from(BODY, 'latin1'),
  ),
];

const SPACED = '{"name": "Zoë/Ana", "company": "A&B", "n": 1.0, "tags": ["x", {"b": 2, "a": 1}]}';
const SORTED = '{"company":"A&B","n":1.0,"name":"Zoë/Ana","tags":["x",{"a":1,"b":2}]}';
export const PYTHON = SPACED.replace('ë', '\\u00eb');
const PHP = BODY.replace('ë', '\\u00eb').replace('/', '\\/');
const indented = (by: number) =>
  '{\n_"name": "Zoë/Ana",\n_"company": "A&B",\n_"n": 1.0,\n_"tags": [\n__"x",\n__{\n___"b": 2,\n___"a": 1\n__}\n_]\n}'.replaceAll(
    '_',
    ' '.repeat(by),
  );
const serialised = [
  signedBody('compact', ['body_respaced'], BODY, SPACED),
  signedBody('compact, sent indented', ['body_respaced'], BODY, indented(2)),
  signedBody('Python, not ASCII only', ['body_respaced'], SPACED),
  signedBody('1 space', ['body_respaced'], indented(1)),
  signedBody('2 spaces', ['body_respaced'], indented(2)),
  signedBody('4 spaces', ['body_respaced'], indented(4)),
  signedBody('sorted', ['body_keys_reordered'], SORTED),
  signedBody('sorted and compact', ['body_respaced', 'body_keys_reordered'], SORTED, SPACED),
  signedBody('Python', ['body_respaced', 'body_non_ascii_escaped'], PYTHON),
  signedBody('ASCII only', ['body_non_ascii_escaped'], BODY.replace('ë', '\\u00eb')),
  signedBody('PHP', ['body_non_ascii_escaped', 'body_slashes_escaped'], PHP),
  signedBody('PHP, Unicode unescaped', ['body_slashes_escaped'], BODY.replace('/', '\\/')),
  signedBody('Go', ['body_html_escaped'], BODY.replace('&', '\\u0026')),
  signedBody('Go, of a map', ['body_keys_reordered', 'body_html_escaped'], SORTED.replace('&', '\\u0026')),
  signedBody(
    '.NET',
    ['body_non_ascii_escaped', 'body_html_escaped'],
    BODY.replace('ë', '\\u00EB').replace('&', '\\u0026'),
  ),
  signedBody('escapes undone', ['body_escapes_undone'], BODY, PHP),
  signedBody('JavaScript', ['body_values_rewritten'], BODY.replace('1.0', '1')),
  signedBody(
    'JavaScript, numeric keys',
    ['body_values_rewritten'],
    '{"1":2,"b":1,"a":3}',
    '{"b":1,"a":3,"1":2}',
  ),
  signedBody(
    'Python, indent=1',
    ['body_respaced', 'body_non_ascii_escaped'],
    indented(1).replace('ë', '\\u00eb'),
  ),
  signedBody(
    'Python, indent=1 and sorted',
    ['body_respaced', 'body_keys_reordered'],
    '{\n "a": {\n  "c": [\n   1.0,\n   []\n  ]\n },\n "b": {}\n}',
    '{"b":{},"a":{"c":[1.0,[]]}}',
  ),
  signedBody(
    'JavaScript, 1 space',
    ['body_values_rewritten', 'body_respaced'],
    indented(1).replace('1.0', '1'),
  ),
  signedBody(
    'Python with a newline',
    ['body_respaced', 'body_non_ascii_escaped', 'body_newline_added'],
    `${PYTHON}\n`,
  ),
];

const stringified = [
  signedBody('JSON of JSON', ['body_as_json_string'], JSON.stringify(BODY)),
  signedBody('base64', ['body_as_base64'], Buffer.from(BODY).toString('base64')),
  signedBody('a digest', ['body_as_digest'], plainHash(BODY)),
  signedBody('an object', ['body_as_object_text'], `${{}}`),
  signedBody('undefined', ['body_as_object_text'], `${undefined}`),
  signedBody('None', ['body_as_object_text'], 'None'),
  signedBody(
    'bytes of Python',
    ['body_as_bytes_literal'],
    'b\'{"name":"Zo\\xc3\\xab","said":"it\\\'s\\\\n"}\'',
    '{"name":"Zoë","said":"it\'s\\n"}',
  ),
  signedBody('nothing', ['body_empty'], ''),
];

/** What is signed in place of the body. */
export const GENERATED_BODIES: readonly Case[] = [...bytes, ...serialised, ...stringified];
