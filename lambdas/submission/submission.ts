import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { OPAQUE_REJECTION } from '../contract.ts';
import type { Attribution, Reason } from '../rejections/reasons.ts';
import type { Score } from '../scoring/score-lead.ts';
import type { Credential } from './configuration.ts';
import type { DenialMarker, OriginalResponse } from './idempotency-key.ts';
import type { Surface } from './limits.ts';
import type { ParsedBody } from './parse-body.ts';
import type { Headers, RawBody } from './request.ts';

/** One request on its way to becoming a lead. Each step of the pipeline reads what earlier steps have found out. */
export interface Submission {
  readonly surface: Surface;
  readonly requestId: string;
  readonly extendedRequestId: string | undefined;
  readonly receivedAtMilliseconds: number;
  /** By the clock of the tick on which an unauthenticated request is answered. */
  readonly beganAt: number;
  readonly headers: Headers;
  readonly body: RawBody;
  readonly slug: string | undefined;
  readonly source: { readonly address: string | undefined; readonly userAgent: string | undefined };
  /** Ends every call to a store in time for an answer within five seconds. */
  readonly signal: AbortSignal;

  attribution: Attribution;
  authenticated?: Authenticated;
  key?: { readonly hash: string; readonly denialSeen: DenialMarker | undefined };
  parsed?: ParsedBody;
  score?: Score;
  outcome?: Outcome;
}

export interface Authenticated {
  readonly credential: Credential;
  /** Reads the configuration afresh: for when a store has said that ours is out of date. */
  again(): Promise<Authenticated>;
}

export type Outcome =
  | { readonly kind: 'accepted'; readonly submissionId: string }
  | { readonly kind: 'replayed'; readonly submissionId: string; readonly diagnosticsDropped?: number }
  | { readonly kind: 'rejected'; readonly reason: Reason; readonly diagnosticsDropped: number };

export type Answer = APIGatewayProxyResult;

/** A middleware after `openSubmission`, which puts the submission in the event's place. */
export type Step = MiddlewareObj<Submission, Answer>;

/** For what an earlier step must have found: its absence is a mistake in the order of the list. */
export function found<Value>(value: Value | undefined, step: string): Value {
  if (value === undefined) throw new Error(`${step} has not run`);
  return value;
}

/** Every answer has the same headers, so that only status and body tell one from another. */
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
