import { createHmac } from 'node:crypto';
import type { Surface } from '../../lambdas/submission/limits.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';

export const SAMPLE =
  '{"name":"Ada Byron","email":"ada@analytical-engines.co.uk","company":"Analytical Engines"}';

/** A form with all that sends to it: its secret for Surface 1b, a token of its own for Surface 1a. */
export interface Sender {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly secret: string;
  readonly token: string;
  readonly tokenId: string;
}

export interface Submission {
  readonly body?: string | Buffer;
  /** Added to what a correct submission sends; `null` leaves a header out. */
  readonly headers?: Record<string, string | string[] | null>;
  readonly secret?: string;
  readonly timestamp?: string;
  readonly signature?: string;
  readonly token?: string;
  readonly slug?: string;
}

export type Submit = (surface: Surface, sender: Sender, submission?: Submission) => Promise<HttpAnswer>;

/** @param now the clock that timestamps are taken from, in milliseconds. */
export function requestFor(
  surface: Surface,
  sender: Sender,
  submission: Submission,
  now: () => number = Date.now,
): HttpRequest {
  const { body = SAMPLE, slug = sender.slug } = submission;
  const credentials = surface === '1a' ? bearer(sender, submission) : signed(sender, submission, body, now());
  const headers: Record<string, string | string[]> = {};
  const wanted = { 'Content-Type': 'application/json', ...credentials, ...submission.headers };
  for (const [name, value] of Object.entries(wanted)) if (value !== null) headers[name] = value;
  return { path: surface === '1a' ? '/api/v1/ingest' : `/api/v1/ingest/${slug}`, headers, body };
}

function bearer(sender: Sender, { token = sender.token }: Submission) {
  return { Authorization: `Bearer ${token}` };
}

/** Signs as a provider would who has read nothing but the specification. */
function signed(sender: Sender, submission: Submission, body: string | Buffer, nowMilliseconds: number) {
  const { secret = sender.secret, timestamp = String(Math.floor(nowMilliseconds / 1000)) } = submission;
  const signature = submission.signature ?? sign(secret, timestamp, body);
  return { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
}

export function sign(secret: string, timestamp: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

export function submissionId(answer: HttpAnswer): string {
  if (answer.status !== 202) throw new Error(`expected 202, got ${answer.status} ${answer.body}`);
  return (JSON.parse(answer.body) as { submission_id: string }).submission_id;
}
