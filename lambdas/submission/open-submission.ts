import type { APIGatewayProxyEvent } from 'aws-lambda';
import { UNATTRIBUTED } from '../rejections/reasons.ts';
import type { Surface } from './limits.ts';
import { collectHeaders, rawBody } from './request.ts';
import type { Submission } from './submission.ts';

interface Options {
  readonly surface: Surface;
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
