import { createHmac } from 'node:crypto';
import type { Surface } from '../../lambdas/model/limits.ts';
import type { HttpRequest, HttpResponse } from './http.ts';

export const SAMPLE =
  '{"name":"Ada Byron","email":"ada@analytical-engines.co.uk","company":"Analytical Engines"}';

/** A form with its credentials: a secret for Surface 1b and a token for Surface 1a. */
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
  /** Added to the headers of a correct submission; `null` removes a header. */
  readonly headers?: Record<string, string | string[] | null>;
  readonly secret?: string;
  readonly timestamp?: string;
  readonly signature?: string;
  readonly token?: string;
  readonly slug?: string;
}

export type Submit = (surface: Surface, sender: Sender, submission?: Submission) => Promise<HttpResponse>;

/** @param now the clock for timestamps, in milliseconds. */
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

/** Signs as the specification says, without code of the service. */
function signed(sender: Sender, submission: Submission, body: string | Buffer, nowMilliseconds: number) {
  const { secret = sender.secret, timestamp = String(Math.floor(nowMilliseconds / 1000)) } = submission;
  const signature = submission.signature ?? sign(secret, timestamp, body);
  return { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
}

export function sign(secret: string, timestamp: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

export function submissionId(response: HttpResponse): string {
  if (response.status !== 202) throw new Error(`expected 202, got ${response.status} ${response.body}`);
  return (JSON.parse(response.body) as { submission_id: string }).submission_id;
}

/** Clean, so it is enriched. */
export const CLEAN = JSON.stringify({
  name: 'Mina Farrow',
  email: 'Mina.Farrow@copperfieldjoinery.co.uk',
  phone: '+44 20 7946 0018',
  company: 'Copperfield Joinery',
  message: 'Could you quote for twelve oak doors, fitted in March?',
});

/** Not clean: scored and stored, but not enriched. */
export const NOT_CLEAN = JSON.stringify({
  name: 'Rank Booster',
  email: 'sales@seo-rank-offers.com',
  message:
    'We offer cheap backlinks and guaranteed first page ranking on Google! Buy now http://a.example http://b.example http://c.example',
});

/** A JSON object of exactly this many bytes. */
export function jsonOf(bytes: number): string {
  return `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;
}
