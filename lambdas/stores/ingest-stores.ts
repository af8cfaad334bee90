import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Diagnostics, makeDiagnostics } from './diagnostics.ts';
import { type Gate, makeGate } from './gate.ts';
import { type Idempotency, makeIdempotency } from './idempotency.ts';
import { type LastUse, makeLastUse } from './last-use.ts';
import { type Leads, makeLeads } from './leads.ts';
import type { TableNames } from './tables.ts';

/** The stores that both surfaces write to. */
export interface IngestStores {
  readonly gate: Gate;
  readonly idempotency: Idempotency;
  readonly leads: Leads;
  readonly diagnostics: Diagnostics;
  readonly lastUse: LastUse;
}

export interface IngestStoresOptions {
  readonly client: DynamoDBDocumentClient;
  /** A client of its own for recording: one short attempt, so that a flood of rejections holds nothing up. */
  readonly recordingClient: DynamoDBDocumentClient;
  readonly tables: Pick<TableNames, 'workspaces' | 'idempotency' | 'leads' | 'diagnostics'>;
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
    diagnostics: makeDiagnostics({ client: recordingClient, tables, random, recordingMilliseconds }),
    lastUse: makeLastUse({ client: recordingClient, tables, recordingMilliseconds }),
  };
}
