import { type ByteText, toText } from './shell-text.ts';
import { describeUnknown, type Word } from './words.ts';

/** An option of a curl command with its value, or a URL. */
export interface CurlArgument {
  /** The long option name without dashes; empty for a URL. */
  readonly name: string;
  readonly value: Word;
}

/** Short options that take a value, and the long names of the relevant ones. */
const SHORT_WITH_VALUE = new Set('EKCbcdDFPHhmoUQreXYytzTuAwx');
const LONG_NAMES: Readonly<Record<string, string>> = {
  d: 'data',
  H: 'header',
  X: 'request',
  F: 'form',
  T: 'upload-file',
  G: 'get',
  I: 'head',
  K: 'config',
  ':': 'next',
};
const LONG_WITH_VALUE = new Set(
  `data data-ascii data-binary data-raw data-urlencode json header request form form-string upload-file config url
  url-query user user-agent referer output output-dir write-out max-time connect-timeout cookie cookie-jar proxy
  proxy-user proxy-header noproxy preproxy cacert capath cert cert-type key key-type pass resolve connect-to retry
  retry-delay retry-max-time interface limit-rate range dump-header stderr trace trace-ascii unix-socket oauth2-bearer
  aws-sigv4 ciphers tls-max max-redirs max-filesize speed-limit speed-time time-cond proto proto-redir doh-url
  dns-servers expect100-timeout keepalive-time local-port netrc-file pinnedpubkey libcurl engine etag-compare
  etag-save socks4 socks4a socks5 socks5-hostname`.split(/\s+/),
);

const NOTHING: Word = { bytes: '', unknown: [] };

/** Parses the words after `curl`. */
export function curlArguments(words: readonly Word[]): CurlArgument[] {
  const read: CurlArgument[] = [];
  let onlyAddresses = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    const text = word.bytes;
    if (onlyAddresses || !text.startsWith('-') || text === '-') read.push({ name: '', value: word });
    else if (text === '--') onlyAddresses = true;
    else if (text.startsWith('--')) {
      const name = text.slice(2);
      const value = LONG_WITH_VALUE.has(name) ? (words[++at] ?? NOTHING) : NOTHING;
      read.push({ name, value });
    } else {
      const { names, value } = shortOptions(word);
      const last = names.pop() ?? '';
      read.push(...names.map((name) => ({ name: longName(name), value: NOTHING })));
      read.push({
        name: longName(last),
        value: value ?? (takesValue(last) ? (words[++at] ?? NOTHING) : NOTHING),
      });
    }
  }
  return read;
}

const longName = (short: string) => LONG_NAMES[short] ?? short;
const takesValue = (short: string) => SHORT_WITH_VALUE.has(short);

/** `-sSXPOST` is -s, -S, and -X with its value. */
function shortOptions({ bytes, unknown }: Word): { names: string[]; value?: Word } {
  const names: string[] = [];
  for (let at = 1; at < bytes.length; at += 1) {
    const name = bytes[at] as string;
    names.push(name);
    const rest = bytes.slice(at + 1);
    if (takesValue(name)) return rest === '' ? { names } : { names, value: { bytes: rest, unknown } };
  }
  return { names };
}

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
