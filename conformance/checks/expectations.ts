import { isDeepStrictEqual } from 'node:util';
import type { HttpResponse } from '../world/http.ts';

/** The response is not what the specification says. The report shows both. */
export class Mismatch extends Error {
  readonly #expected: string;
  readonly #got: string;

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.name = 'Mismatch';
    this.#expected = expected;
    this.#got = got;
  }

  /** Names the example of the row that failed. */
  about(example: string): Mismatch {
    return new Mismatch(`${this.#expected} for ${example}`, this.#got);
  }
}

/** This run cannot find out whether the rule holds, and says why. */
export class CannotBeTried extends Error {}

const MAX_SHOWN = 160;

/** A response in one line: its status and the beginning of its body. */
export function describeResponse({ status, body }: Pick<HttpResponse, 'status' | 'body'>): string {
  return `${status} ${body === '' ? '(no body)' : shorten(body)}`;
}

/** Hides secrets before it cuts: half a secret would not be recognized. */
export function shorten(text: string): string {
  const hidden = hideSecrets(text);
  return hidden.length > MAX_SHOWN ? `${hidden.slice(0, MAX_SHOWN)}…` : hidden;
}

/** Anything that looks like a token, a secret, a signature, a session or an email address. */
const SECRETS = [
  /ingt_[a-z]+_[\w-]+/g,
  /whsec_\w+/g,
  /\b[0-9a-f]{64}\b/gi,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
];

/** A wrong deployment may echo what it was sent. None of that goes to the terminal or into the report. */
export function hideSecrets(text: string): string {
  return SECRETS.reduce((hidden, secret) => hidden.replace(secret, '…'), text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The first of the two shapes. Returns the submission id. */
export function expectAccepted(response: HttpResponse): string {
  const object = parsed(response);
  const id = object?.submission_id;
  const whole = isDeepStrictEqual(Object.keys(object ?? {}), ['submission_id']);
  if (response.status === 202 && isJson(response) && whole && typeof id === 'string' && UUID.test(id))
    return id;
  throw new Mismatch('202 {"submission_id":"<UUID>"} as application/json', describeResponse(response));
}

/** The second shape, which is all that a sender learns about a failure. */
export function expectRejected(response: HttpResponse): void {
  const opaque = isDeepStrictEqual(parsed(response), { status: 'rejected' });
  if (response.status === 200 && isJson(response) && opaque) return;
  throw new Mismatch('200 {"status":"rejected"} as application/json', describeResponse(response));
}

/** Verbatim: the sender of a repeat cannot tell it from the original. */
export function expectSameResponse(repeated: HttpResponse, original: HttpResponse): void {
  const seen = ({ status, body, headers }: HttpResponse) => [status, body, headers['content-type']];
  if (isDeepStrictEqual(seen(repeated), seen(original))) return;
  throw new Mismatch(`the original ${describeResponse(original)}`, describeResponse(repeated));
}

export function expectStatus(response: HttpResponse, status: number): void {
  if (response.status !== status) throw new Mismatch(String(status), describeResponse(response));
}

export function expectEqual(got: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(got, expected)) return;
  throw new Mismatch(`${what} to be ${inWords(expected)}`, inWords(got));
}

export function expectThat(holds: boolean, expected: string, got: unknown): void {
  if (!holds) throw new Mismatch(expected, typeof got === 'string' ? shorten(got) : inWords(got));
}

function inWords(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value));
}

function isJson({ headers }: HttpResponse): boolean {
  return headers['content-type'] === 'application/json';
}

function parsed({ body }: HttpResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
