import middy from '@middy/core';
import type { OwnerTelemetry } from '../../telemetry/owner-telemetry.ts';
import { answerProblems } from './answer-problems.ts';
import { openRequest } from './open-request.ts';
import type { Answer, OwnerEvent } from './owner-request.ts';
import { readJsonBody } from './read-json-body.ts';
import { reportRequest } from './report-request.ts';
import { requireOwner } from './require-owner.ts';
import { type OwnerRoute, router } from './route.ts';

export interface OwnerPipelineDependencies {
  readonly telemetry: OwnerTelemetry;
  readonly now: () => number;
  readonly deadlineMilliseconds: number;
}

/** The life of an owner's request, in both functions of the settings area. */
export function ownerPipeline(dependencies: OwnerPipelineDependencies, routes: readonly OwnerRoute[]) {
  return middy<OwnerEvent, Answer>({ requestEnd: reportRequest(dependencies) })
    .use(openRequest(dependencies))
    .use(answerProblems(dependencies))
    .use(requireOwner())
    .use(readJsonBody())
    .handler(router(routes));
}
