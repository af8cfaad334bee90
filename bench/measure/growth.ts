import { randomBytes } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { makeListExport } from '#leads/export/list-export-store.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import { makeLeadSearcher } from '#leads/search/lead-search-store.ts';
import { makeApiKeys } from '../../lambdas/access/api-keys-store.ts';
import { makeAlertReader } from '../../lambdas/alerts/alert-reader-store.ts';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { makeLeadExport } from '../../lambdas/leads/export/lead-export-store.ts';
import { makeLeadPages } from '../../lambdas/leads/lead-pages-store.ts';
import { makeActivityReader } from '../../lambdas/owner-api/activity-store.ts';
import { makeOwnerTelemetry, type OwnerEvent } from '../../lambdas/owner-api/owner-request.ts';
import { makeDiagnosticsRead } from '../../lambdas/rejections/diagnostics/handler.ts';
import { makeDiagnosticsReader } from '../../lambdas/rejections/diagnostics-store.ts';
import { makeSettings } from '../../lambdas/settings/handler.ts';
import {
  destinationDependencies,
  learningDependencies,
  personDependencies,
  reviewDependencies,
} from '../../lambdas/settings/settings-dependencies.ts';
import { makeStatsReader } from '../../lambdas/stats/stats-store.ts';
import { makeOwnerAdministration } from '../../lambdas/workspaces/administration.ts';
import {
  makeLastUses,
  makeProviderUses,
  makeSecretDates,
  makeWorkspaceUsage,
} from '../../lambdas/workspaces/usage-store.ts';
import { type IngestFixture, type Sender, submissionId } from '../../local/fixture/ingest-fixture.ts';
import { recordCalls } from '../../local/fixture/recorded-calls.ts';
import type { Engines } from '../engines/contender-fixture.ts';
import {
  leadHistory,
  otherWorkspaces,
  preload,
  rejectionHistory,
  rejectionRecords,
  statsHistory,
} from '../engines/history.ts';
import { BODIES } from '../fixtures/index.ts';
import { ownerEvent } from '../functions/owner-pages.ts';
import type { MeasureUnits } from './write-units.ts';

/** The owners' two functions in this process, with their calls recorded. */
export function openOwnerFunctions({ stack, clock }: IngestFixture) {
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
    providerUses: makeProviderUses(context),
    leads: makeLeadPages(context),
    leadExport: makeLeadExport(context),
    leadSearch: makeLeadSearcher(context),
    listExport: makeListExport(context),
    leadIndex: makeLeadIndex(context),
    ...personDependencies(context),
    indexBacklog: { before: async () => undefined },
    ...reviewDependencies(context),
    ...learningDependencies(context, { send: async () => new Set() }),
    stats: makeStatsReader(context),
    alerts: makeAlertReader(context),
    apiKeysOf: makeApiKeys(context),
    activityReader: makeActivityReader(context),
    webhooks: { post: async () => undefined },
    ingestUrl: 'https://ingest.example/prod',
    sourcesUrl: 'https://sources.example/prod',
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
      const asked = ownerEvent({ workspaceId }, 'GET', `${path}?${new URLSearchParams(query)}`);
      const { statusCode } = await handler(asked as OwnerEvent, {} as Context);
      return statusCode;
    },
  };
}

export interface Grown {
  readonly leads: number;
  readonly workspaces: number;
  /** Calls in sequence, warm: accepted, with key, replayed. */
  readonly calls: readonly number[];
  /** For 1 KB, without and with a key. */
  readonly writeUnits: readonly number[];
}

/** The same submissions of the same sender, before and after form and service have grown. */
export async function measureGrowth(
  engines: Engines,
  bench: IngestFixture,
  measureUnits: MeasureUnits,
  sender: Sender,
  size: { readonly leads: number; readonly workspaces: number },
): Promise<Grown[]> {
  const { tables } = bench.stack;
  await preload(engines.dynamoDb, tables.leads, leadHistory(sender, 100, bench.clock.now));
  const before = await measure(bench, measureUnits, sender, { leads: 100, workspaces: 1 });
  await preload(engines.dynamoDb, tables.leads, leadHistory(sender, size.leads, bench.clock.now - 1));
  await preload(engines.dynamoDb, tables.workspaces, otherWorkspaces(size.workspaces));
  return [before, await measure(bench, measureUnits, sender, size)];
}

async function measure(
  bench: IngestFixture,
  measureUnits: MeasureUnits,
  sender: Sender,
  size: { readonly leads: number; readonly workspaces: number },
): Promise<Grown> {
  const environment = bench.newEnvironment();
  const key = { headers: { 'X-SVC-Idempotency-Key': `at ${size.leads}` } };
  submissionId(await environment.server(sender));
  const calls: number[] = [];
  for (const request of [{}, key, key]) {
    bench.calls.reset();
    submissionId(await environment.server(sender, request));
    calls.push(bench.calls.inSequence());
  }
  const again = { headers: { 'X-SVC-Idempotency-Key': `units at ${size.leads}` } };
  const units = [
    await measureUnits(BODIES['1 KB'], {}, sender),
    await measureUnits(BODIES['1 KB'], again, sender),
  ];
  return { ...size, calls, writeUnits: units.map(({ writeUnits }) => writeUnits) };
}

/** DynamoDB calls for one page. Each reads at most 1 MB. */
export interface PageReads {
  readonly page: string;
  readonly few: number;
  readonly many: number;
  /** The maximum in the code, for any amount of data. */
  readonly most: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const FEW = 100;

type Page = readonly [page: string, most: number, path: string, query: Record<string, string>];

/** What the owner's pages read in a workspace with few leads and rejections, and in one with many leads. */
export async function measureOwnerReads(
  engines: Engines,
  bench: IngestFixture,
  busy: Sender,
  many: number,
): Promise<PageReads[]> {
  const { tables } = bench.stack;
  const { now } = bench.clock;
  const owners = openOwnerFunctions(bench);

  async function preloadHistory(sender: Sender, count: number): Promise<void> {
    await preload(engines.dynamoDb, tables.stats, statsHistory(sender, count, now));
    await preload(engines.dynamoDb, tables.diagnostics, rejectionHistory(sender, count, now));
    await preload(engines.dynamoDb, tables.rejections, rejectionRecords(sender, FEW, now));
  }

  const quiet = await bench.newSender();
  await preload(engines.dynamoDb, tables.leads, leadHistory(quiet, FEW, now));
  await preloadHistory(quiet, FEW);
  await preloadHistory(busy, many);

  async function reads({ workspaceId, formId }: Sender, path: string, query: Record<string, string>) {
    const asked = path.replace('{form}', formId).replace('{request}', `request-${workspaceId}-5`);
    owners.calls.reset();
    const status = await owners.get(workspaceId, asked, query);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return owners.calls.commands().length;
  }

  const measured: PageReads[] = [];
  for (const [page, most, path, query] of pagesAt(now)) {
    measured.push({ page, most, few: await reads(quiet, path, query), many: await reads(busy, path, query) });
  }
  return measured;
}

/** Counters are read in at most 15 pages of 1 MB for each kind; rate limits and other rejections are two kinds. */
function pagesAt(now: number): readonly Page[] {
  const since = (days: number) => new Date(now - days * DAY_MS).toISOString();
  return [
    ['workspace', 1, '/workspace', {}],
    ['statistics, 7 days by hour', 15, '/stats', { by: 'hour', from: since(7) }],
    ['statistics, 30 days by day', 15, '/stats', { by: 'day', from: since(30) }],
    ['diagnostics, a day by minute', 30, '/diagnostics', { by: 'minute', from: since(1) }],
    ['diagnostics, 7 days by hour', 30, '/diagnostics', { by: 'hour', from: since(7) }],
    ['diagnostics, 30 days by hour', 30, '/diagnostics', { by: 'hour', from: since(30) }],
    ['diagnostics, recent events', 4, '/diagnostics/events', {}],
    ['diagnostics, events of one reason', 4, '/diagnostics/events', { reason: 'body_not_object' }],
    ['diagnostics, one request', 3, '/diagnostics/requests/{request}', {}],
    ['forms', 1, '/forms', {}],
    ['deliveries', 3, '/deliveries', {}],
    ['tokens', 2, '/tokens', {}],
    ['leads of a form, a page', 10, '/forms/{form}/leads', {}],
  ];
}
