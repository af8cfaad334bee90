import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { tablesFromEnvironment } from '../../contract.ts';
import type { Rejections } from '../../rejections/rejections-store.ts';
import type { ConfigurationSource } from '../../submission/configuration-store.ts';
import { runtimeDependencies } from '../../submission/ingest-dependencies.ts';
import { type IngestDependencies, ingestPipeline } from '../../submission/pipeline.ts';
import type { HttpResponse } from '../../submission/submission.ts';
import { browserConfigurations } from '../browser-configuration-store.ts';
import { keysFromEnvironment } from '../browser-dependencies.ts';
import { readableByPages } from '../cors.ts';
import {
  type BrowserConfiguration,
  judgeBrowserRequest,
  nonceHash,
  sentToken,
} from '../judge-browser-request.ts';

export interface BrowserSubmissionDependencies extends Omit<IngestDependencies, 'lastUse'> {
  readonly forms: ConfigurationSource<BrowserConfiguration>;
}

/** Surface 2: a page that got a token for its form, its nonce and its origin just before. */
export function makeBrowserSubmission(dependencies: BrowserSubmissionDependencies) {
  const ingest = ingestPipeline(
    '2',
    {
      source: dependencies.forms,
      emptyConfiguration: { forms: [], keys: [] },
      keyOf: ({ headers }) => sentToken(headers).slug,
      judge: (configuration, { headers, receivedAtMilliseconds }) =>
        judgeBrowserRequest(configuration, { headers, nowMilliseconds: receivedAtMilliseconds }),
      idempotencyKeyOf: (submission) => ({ hash: nonceHash(submission) }),
    },
    {
      ...dependencies,
      rejections: unauthenticated(dependencies.rejections),
      // A browser has no credential whose last use could be recorded.
      lastUse: { note: async () => undefined },
    },
  );

  return async function browserSubmission(
    event: APIGatewayProxyEvent,
    context: Context,
  ): Promise<HttpResponse> {
    return readableByPages(await ingest(event, context));
  };
}

/** Anybody can get a browser's token, so what comes with one must not push out the rejections of known senders. */
function unauthenticated(rejections: Rejections): Rejections {
  return {
    record: (rejected, owner, signal) =>
      rejections.record(rejected, { ...owner, authenticated: false }, signal),
  };
}

const TABLES = ['workspaces', 'forms', 'idempotency', 'leads', 'unauthenticatedRejections'] as const;

export function browserSubmissionDependencies(env: NodeJS.ProcessEnv): BrowserSubmissionDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  // No sender is authenticated here: neither their rejections nor the last use of a credential are written.
  const { client, dependencies } = runtimeDependencies({ ...tables, rejections: '', diagnostics: '' });
  return {
    ...dependencies,
    forms: browserConfigurations({ client, tables, readKeys: keysFromEnvironment(env) }),
  };
}
