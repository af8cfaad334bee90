import { isDeepStrictEqual } from 'node:util';
import { describeAnswer, Mismatch, shorten } from '../report/mismatch.ts';
import type { HttpAnswer } from '../world/http.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The first of the two shapes. Returns the submission id. */
export function expectAccepted(answer: HttpAnswer): string {
  const object = parsed(answer);
  const id = object?.submission_id;
  const whole = isDeepStrictEqual(Object.keys(object ?? {}), ['submission_id']);
  if (answer.status === 202 && isJson(answer) && whole && typeof id === 'string' && UUID.test(id)) return id;
  throw new Mismatch('202 {"submission_id":"<UUID>"} as application/json', describeAnswer(answer));
}

/** The second shape, which is all that a sender learns about a failure. */
export function expectRejected(answer: HttpAnswer): void {
  const opaque = isDeepStrictEqual(parsed(answer), { status: 'rejected' });
  if (answer.status === 200 && isJson(answer) && opaque) return;
  throw new Mismatch('200 {"status":"rejected"} as application/json', describeAnswer(answer));
}

/** Verbatim: the sender of a repeat cannot tell it from the original. */
export function expectSameAnswer(repeated: HttpAnswer, original: HttpAnswer): void {
  const seen = ({ status, body, headers }: HttpAnswer) => [status, body, headers['content-type']];
  if (isDeepStrictEqual(seen(repeated), seen(original))) return;
  throw new Mismatch(`the original ${describeAnswer(original)}`, describeAnswer(repeated));
}

export function expectStatus(answer: HttpAnswer, status: number): void {
  if (answer.status !== status) throw new Mismatch(String(status), describeAnswer(answer));
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

function isJson({ headers }: HttpAnswer): boolean {
  return headers['content-type'] === 'application/json';
}

function parsed({ body }: HttpAnswer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
