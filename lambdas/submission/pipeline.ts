import type { Request } from '@middy/core';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Workspace } from '../model/configuration.ts';
import type { AnySurface } from '../model/limits.ts';
import type { LastUse } from '../rejections/last-use-store.ts';
import type { Rejections } from '../rejections/rejections-store.ts';
import { passGate, replayOriginal } from './admit-submission.ts';
import { authenticate, type CredentialScheme, makeAuthenticator } from './authenticate.ts';
import type { Gate } from './gate-store.ts';
import type { Idempotency, Leads } from './leads-store.ts';
import { parseBody, refuseUnreadable } from './parse-body.ts';
import {
  reportOutcome,
  respondOnTick,
  respondToRejections,
  type Telemetry,
  type TickClock,
} from './respond-and-report.ts';
import { scoreSubmission, storeLead } from './store-lead.ts';
import { type HttpResponse, openSubmission, type Submission } from './submission.ts';

/** The stores that every surface writes to. */
export interface IngestStores {
  readonly gate: Gate;
  readonly idempotency: Idempotency;
  readonly leads: Leads;
  readonly rejections: Rejections;
  readonly lastUse: LastUse;
}

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
  surface: AnySurface,
  scheme: CredentialScheme<Configuration>,
  dependencies: IngestDependencies,
) {
  const authenticator = makeAuthenticator(scheme, dependencies);
  const handle = reportedPipeline(dependencies)
    .use(respondToRejections(dependencies))
    .use(refuseUnreadable(scheme))
    .use(authenticate(authenticator))
    .use(replayOriginal({ ...dependencies, authenticator, keyOf: scheme.idempotencyKeyOf }))
    .use(parseBody())
    .use(passGate({ ...dependencies, authenticator }))
    .use(scoreSubmission(dependencies))
    .handler(storeLead(dependencies)) as SubmissionHandler;
  return ingestWith(handle, { surface, ...dependencies });
}

/** However a submission ends, its outcome is reported, and an unauthenticated sender hears of it on the tick. */
export function reportedPipeline(dependencies: IngestDependencies) {
  const report = reportOutcome(dependencies);
  const waitForTick = respondOnTick(dependencies);
  return middy<Submission, HttpResponse>({
    requestEnd: async (request: Request) => {
      report(request);
      await waitForTick(request);
    },
  });
}

export function ingestWith(handle: SubmissionHandler, options: Parameters<typeof openSubmission>[0]) {
  const open = openSubmission(options);
  return async function ingest(event: APIGatewayProxyEvent, context: Context): Promise<HttpResponse> {
    return handle(open(event), context);
  };
}

/** Middy's type asks for a submission that every step has seen. The steps themselves fill it in. */
export type SubmissionHandler = (submission: Submission, context: Context) => Promise<HttpResponse>;
