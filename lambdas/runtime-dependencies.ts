import { randomBytes, randomUUID } from 'node:crypto';
import { makeLeadId } from './core/lead-id.ts';
import type { IngestDependencies } from './ingest-pipeline.ts';
import { IMPATIENT, makeDocumentClient } from './stores/document-client.ts';
import { type IngestStoresOptions, makeIngestStores } from './stores/ingest-stores.ts';
import { makeTelemetry } from './telemetry.ts';

/** What both ingest functions are bound to on Lambda: the real clock, real randomness, real tables. */
export function runtimeDependencies(tables: IngestStoresOptions['tables']) {
  const client = makeDocumentClient();
  const recordingClient = makeDocumentClient(IMPATIENT);
  const dependencies: IngestDependencies = {
    ...makeIngestStores({ client, recordingClient, tables, random: Math.random }),
    telemetry: makeTelemetry(Date.now),
    now: Date.now,
    newId: randomUUID,
    newLeadId: (nowMilliseconds) => makeLeadId(nowMilliseconds, randomBytes(10)),
  };
  return { client, dependencies };
}
