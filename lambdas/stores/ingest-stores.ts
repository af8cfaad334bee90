import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Gate, makeGate } from './gate.ts';
import { type Idempotency, makeIdempotency } from './idempotency.ts';
import { type LastUse, makeLastUse } from './last-use.ts';
import { type Leads, makeLeads } from './leads.ts';
import { makeRejections, type Rejections } from './rejections.ts';
import type { TableNames } from './tables.ts';

/** The stores that both surfaces write to. */
export interface IngestStores {
  readonly gate: Gate;
  readonly idempotency: Idempotency;
  readonly leads: Leads;
  readonly rejections: Rejections;
  readonly lastUse: LastUse;
}

export interface IngestStoresOptions {
  readonly client: DynamoDBDocumentClient;
  /** For what a sender need not wait for: one short attempt. */
  readonly recordingClient: DynamoDBDocumentClient;
  readonly tables: Pick<
    TableNames,
    'workspaces' | 'idempotency' | 'leads' | 'rejections' | 'unauthenticatedRejections' | 'diagnostics'
  >;
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
