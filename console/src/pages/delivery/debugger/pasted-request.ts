import { parseCurl } from '../curl/parse-curl.ts';
import {
  findObstacles,
  fromBase64,
  headerValue,
  NO_OBSTACLES,
  type Obstacles,
  type SentRequest,
} from './debug-request.ts';
import { formatBytes } from './visible-bytes.ts';

export type BodyKind = 'text' | 'base64' | 'file';

/** The content of the fields. */
export interface PastedParts {
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly bodyKind: BodyKind;
  readonly file: Uint8Array<ArrayBuffer> | undefined;
}

export const NO_PARTS: PastedParts = {
  timestamp: '',
  signature: '',
  body: '',
  bodyKind: 'text',
  file: undefined,
};

/** Errors by field. */
export type FieldProblems = Readonly<
  Partial<Record<'timestamp' | 'signature' | 'body' | 'command', string | undefined>>
>;

export interface DebugInput {
  readonly request: SentRequest;
  readonly obstacles: Obstacles;
}

type Read = { readonly asked: DebugInput } | { readonly asked?: undefined; readonly problems: FieldProblems };

/** One more than the largest body: the settings API accepts that to report it as too large. */
const MOST_BYTES = 131_073;
const LONGEST_HEADER = 1_000;

export function readParts(parts: PastedParts): Read {
  const timestamp = headerValue(parts.timestamp, 'X-SVC-Timestamp');
  const signature = headerValue(parts.signature, 'X-SVC-Signature');
  const body = bodyOf(parts);
  const problems: FieldProblems = {
    timestamp: timestamp === undefined ? missing('timestamp') : headerProblem(timestamp),
    signature: signature === undefined ? missing('signature') : headerProblem(signature),
    body: typeof body === 'string' ? body : bodyProblem(body),
  };
  if (typeof body === 'string' || Object.values(problems).some((problem) => problem !== undefined))
    return { problems };
  return { asked: { request: { timestamp, signature, body }, obstacles: NO_OBSTACLES } };
}

/** Only a completely known command shows what was not sent. */
export function readCommand(command: string, formUrl: string): Read {
  const no = (problem: string): Read => ({ problems: { command: problem } });
  if (command.trim() === '') return no('Paste a curl command.');
  const curl = parseCurl(command);
  if (!curl) return no('No curl command found.');
  if (curl.unreadable.length > 0)
    return no(
      'The command doesn’t contain the whole request. Fill in the missing values, or enter the timestamp, signature and body separately.',
    );
  const { timestamp, signature, body = new Uint8Array() } = curl;
  const problem = headerProblem(timestamp) ?? headerProblem(signature) ?? bodyProblem(body);
  if (problem !== undefined) return no(problem);
  return { asked: { request: { timestamp, signature, body }, obstacles: findObstacles(curl, formUrl) } };
}

/** The known parts of a command, to complete by hand. */
export function partsOfCommand(command: string): PastedParts {
  const { timestamp = '', signature = '', body } = parseCurl(command) ?? {};
  return { ...NO_PARTS, timestamp, signature, body: new TextDecoder().decode(body) };
}

function bodyOf({ bodyKind, body, file }: PastedParts): Uint8Array | string {
  if (bodyKind === 'text') return new TextEncoder().encode(body);
  if (bodyKind === 'file') return file ?? 'Choose a file.';
  return fromBase64(body) ?? 'The body isn’t valid base64.';
}

const missing = (what: string) => `Enter the ${what}. Requests without one are always rejected.`;

function headerProblem(value = ''): string | undefined {
  return value.length > LONGEST_HEADER
    ? 'This is too long for a timestamp or signature. Is the body in the wrong field?'
    : undefined;
}

function bodyProblem({ length }: Uint8Array): string | undefined {
  return length > MOST_BYTES ? `The body has ${formatBytes(length)}. The maximum is 131,072.` : undefined;
}
