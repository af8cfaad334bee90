import type { Request } from '@middy/core';
import middy from '@middy/core';
import { answerOnTick, type TickClock } from './answer-on-tick.ts';
import { answerRejections } from './answer-rejections.ts';
import { authenticate, type CredentialScheme } from './authenticate.ts';
import type { Workspace } from './configuration.ts';
import type { IngestStores } from './ingest-dependencies.ts';
import type { Surface } from './limits.ts';
import { openSubmission } from './open-submission.ts';
import { parseBody, refuseUnreadable } from './parse-body.ts';
import { passGate } from './pass-gate.ts';
import { replayOriginal } from './replay-original.ts';
import { reportOutcome, type Telemetry } from './report-outcome.ts';
import { scoreSubmission } from './score-submission.ts';
import { storeLead } from './store-lead.ts';
import type { Answer, Submission } from './submission.ts';

export interface IngestDependencies extends IngestStores {
  readonly telemetry: Telemetry;
  readonly now: () => number;
  readonly deadlineMilliseconds: number;
  readonly tickClock: TickClock;
  readonly newId: () => string;
  readonly newLeadId: (nowMilliseconds: number) => string;
}

/** The life of a submission, from the gateway's event to the 202. The surfaces differ only in their credentials. */
export function ingestPipeline<Configuration extends { workspace?: Workspace | undefined }>(
  surface: Surface,
  scheme: CredentialScheme<Configuration>,
  dependencies: IngestDependencies,
) {
  const report = reportOutcome(dependencies);
  const waitForTick = answerOnTick(dependencies);
  return middy<Submission, Answer>({
    requestEnd: async (request: Request) => {
      report(request);
      await waitForTick(request);
    },
  })
    .use(openSubmission({ surface, ...dependencies }))
    .use(answerRejections(dependencies))
    .use(refuseUnreadable(scheme))
    .use(authenticate(scheme, dependencies))
    .use(replayOriginal(dependencies))
    .use(parseBody())
    .use(passGate(dependencies))
    .use(scoreSubmission(dependencies))
    .handler(storeLead(dependencies));
}
