import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { toDocumentClient } from '../../lambdas/aws/document-client.ts';
import { makeDiagnosticsRead } from '../../lambdas/rejections/diagnostics/handler.ts';
import { makeDiagnosticsReader } from '../../lambdas/rejections/diagnostics-store.ts';
import { makeOwnerAdministration } from '../../lambdas/settings/administration/administration.ts';
import { destinationDependencies } from '../../lambdas/settings/destination-dependencies.ts';
import { makeSettings } from '../../lambdas/settings/handler.ts';
import { makeLeadExport } from '../../lambdas/settings/leads/lead-export-store.ts';
import { makeLeadPages } from '../../lambdas/settings/leads/lead-pages-store.ts';
import type { OwnerEvent } from '../../lambdas/settings/owner-request.ts';
import { makeOwnerTelemetry } from '../../lambdas/settings/owner-request.ts';
import { makeLastUses, makeSecretDates, makeWorkspaceUsage } from '../../lambdas/settings/usage-store.ts';
import { makeStatsReader } from '../../lambdas/stats/stats-store.ts';
import type { IngestWorkbench } from '../../local/workbench/ingest-workbench.ts';
import { recordCalls } from '../../local/workbench/recorded-calls.ts';

/** The owners' two functions in this process, with their calls recorded. */
export function openOwnerFunctions({ stack, clock }: IngestWorkbench) {
  const now = () => clock.now;
  const rawClient = stack.newClient();
  const calls = recordCalls(rawClient);
  const context = { client: toDocumentClient(rawClient), tables: stack.tables, now, randomBytes };
  const shared = { now, deadlineMilliseconds: 60_000 };
  const discard = () => undefined;
  const settings = makeSettings({
    ...shared,
    administrationOf: makeOwnerAdministration(context),
    // Nothing is sent from here.
    ...destinationDependencies(context, {
      queue: { add: async () => undefined },
      resolve: async () => [],
      allowLoopback: false,
      canSendEmail: false,
    }),
    usage: makeWorkspaceUsage(context),
    secretDates: makeSecretDates(context),
    lastUses: makeLastUses(context),
    leads: makeLeadPages(context),
    leadExport: makeLeadExport(context),
    stats: makeStatsReader(context),
    webhooks: { post: async () => undefined },
    ingestUrl: 'https://ingest.example/prod',
    telemetry: makeOwnerTelemetry('settings', now, discard),
  });
  const diagnostics = makeDiagnosticsRead({
    ...shared,
    reader: makeDiagnosticsReader(context),
    telemetry: makeOwnerTelemetry('diagnostics', now, discard),
  });
  return {
    calls,
    /** Returns the status of the response. */
    async get(workspaceId: string, path: string, query: Readonly<Record<string, string>>) {
      const handler = path.startsWith('/diagnostics') ? diagnostics : settings;
      const { statusCode } = await handler(getEvent(workspaceId, `/settings${path}`, query), {} as Context);
      return statusCode;
    },
  };
}

/** As an HTTP API passes a request to a function, after its JWT authorizer. */
function getEvent(workspaceId: string, path: string, query: Readonly<Record<string, string>>): OwnerEvent {
  const claims = { token_use: 'id', sub: randomUUID(), 'custom:workspace_id': workspaceId };
  const event: unknown = {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {},
    ...(Object.keys(query).length > 0 && { queryStringParameters: { ...query } }),
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      http: { method: 'GET', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.7', userAgent: 'bench' },
      authorizer: { jwt: { claims, scopes: null } },
    },
  };
  return event as OwnerEvent;
}
