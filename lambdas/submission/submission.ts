import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { OPAQUE_REJECTION, REPEATABLE_REJECTION } from '../contract.ts';
import type { Credential } from '../model/configuration.ts';
import { collectHeaders, type Headers } from '../model/headers.ts';
import type { ParsedBody } from '../model/lead-body.ts';
import type { ListedScore } from '../model/lead-item.ts';
import type { AnySurface } from '../model/limits.ts';
import { type Attribution, type Reason, UNATTRIBUTED } from '../model/reasons.ts';

/** One request on its way to becoming a lead. Each step of the pipeline adds what it finds out. */
export interface Submission {
  readonly surface: AnySurface;
  readonly requestId: string;
  readonly extendedRequestId: string | undefined;
  readonly receivedAtMilliseconds: number;
  /** On the clock that decides when an unauthenticated request gets its response. */
  readonly beganAt: number;
  readonly headers: Headers;
  readonly body: RawBody;
  readonly slug: string | undefined;
  readonly source: { readonly address: string | undefined; readonly userAgent: string | undefined };
  /** Aborts every call to a store in time for a response within five seconds. */
  readonly signal: AbortSignal;

  attribution: Attribution;
  /** Set by `authenticate`. */
  credential?: Credential;
  /** Set by `replayOriginal` if the sender gave an idempotency key. */
  key?: IdempotencyKey & { readonly denialSeen: DenialMarker | undefined };
  /** Set by `parseBody`. */
  parsed?: ParsedBody;
  /** Set on Surface 1c, for what a provider sent. */
  mapping?: Mapping;
  /** Set by `scoreSubmission`. */
  score?: ListedScore;
  outcome?: Outcome;
}

/** Under which hash the response is remembered. */
export interface IdempotencyKey {
  readonly hash: string;
  /** Set for a provider's delivery: it is remembered for longer, and a repeat may have another body. */
  readonly isDelivery?: true | undefined;
}

/** What was made of a provider's payload. */
export interface Mapping {
  /** Absent if the body is flat already, or could not be mapped. */
  readonly fields?: ParsedBody | undefined;
  readonly failed: boolean;
  readonly test: boolean;
}

export type AuthenticatedSubmission = Submission & Required<Pick<Submission, 'credential'>>;
export type ParsedSubmission = AuthenticatedSubmission & Required<Pick<Submission, 'parsed'>>;
export type ScoredSubmission = ParsedSubmission & Required<Pick<Submission, 'score'>>;

export type Outcome =
  | { readonly kind: 'accepted'; readonly submissionId: string }
  | { readonly kind: 'replayed'; readonly submissionId: string; readonly diagnosticsDropped?: number }
  | { readonly kind: 'ignored'; readonly because: string }
  | { readonly kind: 'rejected'; readonly reason: Reason; readonly diagnosticsDropped: number };

/** The response to the submission that created the lead. */
export interface OriginalResponse {
  readonly statusCode: number;
  readonly body: string;
  /** Of the request. Another body under the same key is a sender's mistake, and may lose a lead. */
  readonly bodySha256?: string | undefined;
}

/** Left by a submission that the gate denied. */
export interface DenialMarker {
  readonly denialId: string;
  readonly reason: Reason;
}

export type HttpResponse = APIGatewayProxyResult;

/**
 * A Middy middleware. `After` is the submission once the step has run; the parameter of its function says what it
 * relies on. Middy adds these up, so the handler compiles only if the steps before it have found all it needs.
 */
export type Step<After extends Submission = Submission> = MiddlewareObj<After, HttpResponse>;

interface Options {
  readonly surface: AnySurface;
  readonly now: () => number;
  readonly tickClock: { readonly now: () => number };
  /** How long stores may take before the submission is given up. */
  readonly deadlineMilliseconds: number;
}

/** Turns the gateway's event into a submission, with its deadline running. */
export function openSubmission({ surface, now, tickClock, deadlineMilliseconds }: Options) {
  return (event: APIGatewayProxyEvent): Submission => ({
    surface,
    beganAt: tickClock.now(),
    receivedAtMilliseconds: now(),
    requestId: event.requestContext.requestId,
    extendedRequestId: event.requestContext.extendedRequestId,
    headers: collectHeaders(event.headers, event.multiValueHeaders),
    body: rawBody(event.body, event.isBase64Encoded),
    slug: event.pathParameters?.slug,
    source: {
      address: event.requestContext.identity.sourceIp,
      userAgent: event.requestContext.identity.userAgent ?? undefined,
    },
    signal: AbortSignal.timeout(deadlineMilliseconds),
    attribution: UNATTRIBUTED,
  });
}

/** The body from the gateway: measured at once, decoded on demand. */
export interface RawBody {
  readonly byteLength: number;
  /** The bytes as sent on the wire, or undefined when the gateway's base64 was damaged. */
  bytes(): Buffer | undefined;
}

export function rawBody(text: string | null | undefined, isBase64: boolean): RawBody {
  const sent = text ?? '';
  const byteLength = isBase64 ? base64DecodedBytes(sent) : Buffer.byteLength(sent, 'utf8');
  let decoded: Buffer | undefined;
  return {
    byteLength,
    bytes() {
      decoded ??= Buffer.from(sent, isBase64 ? 'base64' : 'utf8');
      // Node skips what is no base64, so damage shows as missing bytes.
      return decoded.length === byteLength && (!isBase64 || sent.length % 4 === 0) ? decoded : undefined;
    },
  };
}

/**
 * The number of bytes that base64 text stands for, without decoding it. The padding counts: bodies of 131,071 to
 * 131,073 bytes all have the same base64 length.
 */
export function base64DecodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/** Every response has the same headers: only status and body differ. */
export function response({ statusCode, body }: OriginalResponse): HttpResponse {
  return { statusCode, headers: { 'Content-Type': OPAQUE_REJECTION.contentType }, body };
}

export function rejected(surface?: AnySurface): HttpResponse {
  return response(surface === '1c' ? REPEATABLE_REJECTION : OPAQUE_REJECTION);
}

export function acceptance({ surface }: Submission, submissionId: string): OriginalResponse {
  // Some providers and tools take nothing but 200 as success.
  const statusCode = surface === '1c' ? 200 : 202;
  return { statusCode, body: JSON.stringify({ submission_id: submissionId }) };
}

export function accepted(submission: Submission, submissionId: string): HttpResponse {
  submission.outcome = { kind: 'accepted', submissionId };
  return response(acceptance(submission, submissionId));
}

/** Status and body of the original, byte for byte. */
export function replayed(submission: Submission, original: OriginalResponse): HttpResponse {
  const { submission_id: submissionId } = JSON.parse(original.body) as { submission_id: string };
  submission.outcome = { kind: 'replayed', submissionId };
  return response(original);
}
