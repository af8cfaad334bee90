import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { UNATTRIBUTED } from '../rejections/reasons.ts';
import type { TickClock } from './answer-on-tick.ts';
import type { Surface } from './limits.ts';
import { collectHeaders, rawBody } from './request.ts';
import type { Answer, Submission } from './submission.ts';

interface Options {
  readonly surface: Surface;
  readonly now: () => number;
  readonly tickClock: TickClock;
  /** How long stores may take before the submission is given up. */
  readonly deadlineMilliseconds: number;
}

/** Puts a submission in the place of the gateway's event, with its deadline running. */
export function openSubmission({
  surface,
  now,
  tickClock,
  deadlineMilliseconds,
}: Options): MiddlewareObj<Submission, Answer> {
  return {
    before: function openSubmissionBefore(request) {
      const beganAt = tickClock.now();
      const event = request.event as unknown as APIGatewayProxyEvent;
      const submission: Submission = {
        surface,
        requestId: event.requestContext.requestId,
        extendedRequestId: event.requestContext.extendedRequestId,
        receivedAtMilliseconds: now(),
        beganAt,
        headers: collectHeaders(event.headers, event.multiValueHeaders),
        body: rawBody(event.body, event.isBase64Encoded),
        slug: event.pathParameters?.slug,
        source: {
          address: event.requestContext.identity.sourceIp,
          userAgent: event.requestContext.identity.userAgent ?? undefined,
        },
        signal: AbortSignal.timeout(deadlineMilliseconds),
        attribution: UNATTRIBUTED,
      };
      request.event = submission;
    },
  };
}
