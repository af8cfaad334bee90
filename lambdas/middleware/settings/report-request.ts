import type { Request } from '@middy/core';
import type { OwnerTelemetry } from '../../telemetry/owner-telemetry.ts';
import type { Answer, OwnerEvent } from './owner-request.ts';

interface Options {
  readonly telemetry: OwnerTelemetry;
  readonly now: () => number;
}

/** Runs after the answer is settled, also when an error settled it. */
export function reportRequest({ telemetry, now }: Options) {
  return function reportRequestAtEnd(request: Request) {
    const event = request.event as OwnerEvent;
    const answer = request.response as Answer | undefined;
    telemetry.request(event, answer, now() - event.receivedAtMilliseconds);
  };
}
