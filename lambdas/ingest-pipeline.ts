import middy, { type Request } from '@middy/core';
import type { Workspace } from './core/configuration.ts';
import type { Surface } from './core/surfaces.ts';
import { answerOnTick, type TickClock } from './middleware/answer-on-tick.ts';
import { answerRejections } from './middleware/answer-rejections.ts';
import { authenticate } from './middleware/authenticate.ts';
import type { CredentialScheme } from './middleware/credential-scheme.ts';
import { openSubmission } from './middleware/open-submission.ts';
import { parseBody } from './middleware/parse-body.ts';
import { passGate } from './middleware/pass-gate.ts';
import { refuseUnreadable } from './middleware/refuse-unreadable.ts';
import { replayOriginal } from './middleware/replay-original.ts';
import { reportOutcome } from './middleware/report-outcome.ts';
import { scoreSubmission } from './middleware/score-submission.ts';
import { storeLead } from './middleware/store-lead.ts';
import type { Answer, Submission } from './middleware/submission.ts';
import type { IngestStores } from './stores/ingest-stores.ts';
import type { Telemetry } from './telemetry/submission-telemetry.ts';

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
