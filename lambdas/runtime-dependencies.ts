import { randomBytes, randomUUID } from 'node:crypto';
import { makeLeadId } from './core/lead-id.ts';
import type { IngestDependencies } from './ingest-pipeline.ts';
import { preciseClock } from './middleware/answer-on-tick.ts';
import { makeDocumentClient } from './stores/document-client.ts';
import { type IngestStoresOptions, makeIngestStores } from './stores/ingest-stores.ts';
import { makeSocketPool } from './stores/socket-pool.ts';
import { makeTelemetry } from './telemetry/submission-telemetry.ts';

/** Leaves room for recording a rejection, for the tick and for the gateway within the five seconds that are promised. */
const DEADLINE_MS = 4_000;

/** However long recording takes, the sender waits no longer than this. */
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
      ...{ client, recordingClient, tables },
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
