import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { OPAQUE_REJECTION } from '../contract.ts';
import type { Attribution, Reason } from '../rejections/reasons.ts';
import type { LeadFields } from '../scoring/read-lead.ts';
import type { Score } from '../scoring/score-lead.ts';
import type { Credential } from './configuration.ts';
import type { Surface } from './limits.ts';
import type { Headers, RawBody } from './request.ts';

export interface ParsedBody {
  /** The text exactly as sent, and as stored. */
  readonly text: string;
  readonly fields: LeadFields;
}

/** One request on its way to becoming a lead. Each step of the pipeline adds what it finds out. */
export interface Submission {
  readonly surface: Surface;
  readonly requestId: string;
  readonly extendedRequestId: string | undefined;
  readonly receivedAtMilliseconds: number;
  /** On the clock by which an unauthenticated request is answered. */
  readonly beganAt: number;
  readonly headers: Headers;
  readonly body: RawBody;
  readonly slug: string | undefined;
  readonly source: { readonly address: string | undefined; readonly userAgent: string | undefined };
  /** Aborts every call to a store in time for an answer within five seconds. */
  readonly signal: AbortSignal;

  attribution: Attribution;
  /** Set by `authenticate`. */
  credential?: Credential;
  /** Set by `replayOriginal` if the sender gave an idempotency key. */
  key?: { readonly hash: string; readonly denialSeen: DenialMarker | undefined };
  /** Set by `parseBody`. */
  parsed?: ParsedBody;
  /** Set by `scoreSubmission`. */
  score?: Score;
  outcome?: Outcome;
}

export type AuthenticatedSubmission = Submission & Required<Pick<Submission, 'credential'>>;
export type ParsedSubmission = AuthenticatedSubmission & Required<Pick<Submission, 'parsed'>>;
export type ScoredSubmission = ParsedSubmission & Required<Pick<Submission, 'score'>>;

export type Outcome =
  | { readonly kind: 'accepted'; readonly submissionId: string }
  | { readonly kind: 'replayed'; readonly submissionId: string; readonly diagnosticsDropped?: number }
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

export type Answer = APIGatewayProxyResult;

/**
 * A Middy middleware. `After` is the submission once the step has run; the parameter of its function says what it
 * relies on. Middy adds these up, so the handler compiles only if the steps before it have found all it needs.
 */
export type Step<After extends Submission = Submission> = MiddlewareObj<After, Answer>;

/** Every answer has the same headers: only status and body differ. */
function answer({ statusCode, body }: OriginalResponse): Answer {
  return { statusCode, headers: { 'Content-Type': OPAQUE_REJECTION.contentType }, body };
}

export function rejected(): Answer {
  return answer(OPAQUE_REJECTION);
}

export function acceptance(submissionId: string): OriginalResponse {
  return { statusCode: 202, body: JSON.stringify({ submission_id: submissionId }) };
}

export function accepted(submission: Submission, submissionId: string): Answer {
  submission.outcome = { kind: 'accepted', submissionId };
  return answer(acceptance(submissionId));
}

/** Status and body of the original, byte for byte. */
export function replayed(submission: Submission, original: OriginalResponse): Answer {
  const { submission_id: submissionId } = JSON.parse(original.body) as { submission_id: string };
  submission.outcome = { kind: 'replayed', submissionId };
  return answer(original);
}
