import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { collectHeaders } from '../core/headers.ts';
import { rawBody } from '../core/raw-body.ts';
import { UNATTRIBUTED } from '../core/rejection.ts';
import type { Surface } from '../core/surfaces.ts';
import type { Answer, Submission } from './submission.ts';

/** Leaves room for recording a rejection and for the gateway within the five seconds that are promised. */
const DEADLINE_MS = 4_000;

interface Options {
  readonly surface: Surface;
  readonly now: () => number;
}

/** Puts a submission in the place of the gateway's event, with its deadline running. */
export function openSubmission({ surface, now }: Options): MiddlewareObj<Submission, Answer> {
  return {
    before: function openSubmissionBefore(request) {
      const event = request.event as unknown as APIGatewayProxyEvent;
      const submission: Submission = {
        surface,
        requestId: event.requestContext.requestId,
        receivedAtMilliseconds: now(),
        headers: collectHeaders(event.headers, event.multiValueHeaders),
        body: rawBody(event.body, event.isBase64Encoded),
        slug: event.pathParameters?.slug,
        source: {
          address: event.requestContext.identity.sourceIp,
          userAgent: event.requestContext.identity.userAgent ?? undefined,
        },
        signal: AbortSignal.timeout(DEADLINE_MS),
        attribution: UNATTRIBUTED,
      };
      request.event = submission;
    },
  };
}
