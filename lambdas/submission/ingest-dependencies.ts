import { randomBytes, randomUUID } from 'node:crypto';
import { makeDocumentClient, type StoreContext, type TableNames } from '../aws/dynamodb.ts';
import { makeSocketPool } from '../aws/socket-pool.ts';
import { makeLeadId } from '../model/lead-item.ts';
import { makeLastUse } from '../rejections/last-use-store.ts';
import { makeRejections } from '../rejections/rejections-store.ts';
import { makeGate } from './gate-store.ts';
import { makeIdempotency, makeLeads } from './leads-store.ts';
import type { IngestDependencies, IngestStores } from './pipeline.ts';
import { makeTelemetry, preciseClock } from './respond-and-report.ts';

/** Beside the workspaces, what both surfaces write to. */
export const WRITTEN_TABLES = [
  'idempotency',
  'leads',
  'rejections',
  'unauthenticatedRejections',
  'diagnostics',
] as const;

export interface IngestStoresOptions {
  readonly client: StoreContext<never>['client'];
  /** For writes that a sender need not wait for: one short attempt. */
  readonly recordingClient: StoreContext<never>['client'];
  readonly tables: Pick<TableNames, 'workspaces' | (typeof WRITTEN_TABLES)[number]>;
  readonly random: () => number;
  readonly recordingMilliseconds: number;
}

export function makeIngestStores(options: IngestStoresOptions): IngestStores {
  const { client, recordingClient, tables, random, recordingMilliseconds } = options;
  const idempotency = makeIdempotency({ client, tables });
  return {
    gate: makeGate({ client, tables }),
    idempotency,
    leads: makeLeads({ client, tables, idempotency }),
    rejections: makeRejections({ client, recordingClient, tables, random, recordingMilliseconds }),
    lastUse: makeLastUse({ client: recordingClient, tables, recordingMilliseconds }),
  };
}

/** Leaves time to record a rejection, for the tick and for the gateway within the promised five seconds. */
const DEADLINE_MS = 4_000;

/** The longest that a sender waits for recording. */
const RECORDING_MS = 300;

/** What both ingest functions are bound to on Lambda: the real clock, real randomness, real tables. */
export function runtimeDependencies(tables: IngestStoresOptions['tables']) {
  const sockets = makeSocketPool();
  const client = makeDocumentClient(sockets);
  const recordingClient = makeDocumentClient(sockets, {
    maxAttempts: 1,
    timeoutMilliseconds: RECORDING_MS,
  });
  const dependencies: IngestDependencies = {
    ...makeIngestStores({
      client,
      recordingClient,
      tables,
      random: Math.random,
      recordingMilliseconds: RECORDING_MS,
    }),
    telemetry: makeTelemetry(Date.now),
    now: Date.now,
    deadlineMilliseconds: DEADLINE_MS,
    tickClock: preciseClock,
    newId: randomUUID,
    newLeadId: (nowMilliseconds) => makeLeadId(nowMilliseconds, randomBytes(10)),
  };
  return { client, dependencies };
}
