import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Surface } from '#model/limits.ts';
import type { Reason } from '#model/reasons.ts';
import { eventItem } from '#rejections/diagnostics-items.ts';
import { makeDiagnosticsReader } from '#rejections/diagnostics-store.ts';
import { makeDiagnosticsStore } from '#rejections/recorder-store.ts';
import { type RejectedSubmission, rejectionRecord } from '#rejections/rejection-record.ts';
import { openLeadOwnerFixture, patience } from '../leads/lead-fixture.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const NOW = Date.parse('2026-11-15T12:30:30Z');

type Item = Record<string, unknown>;

/** The real reader, over tables without streams: the stack's recorder does not count what is written there. */
export async function openRejectionFixture() {
  const fixture = openLeadOwnerFixture();
  const tables = {
    diagnostics: `owner-diagnostics-${randomUUID()}`,
    rejections: `owner-rejections-${randomUUID()}`,
    unauthenticatedRejections: `owner-unauthenticated-${randomUUID()}`,
  };
  const admin = fixture.newClient();
  const store = makeDiagnosticsStore({ client: fixture.writer, tables });
  let sequence = 0n;

  for (const [table, partitionKey] of [
    [tables.diagnostics, 'workspaceId'],
    [tables.rejections, 'requestId'],
    [tables.unauthenticatedRejections, 'requestId'],
  ] as const) {
    const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
    await admin.send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [text(partitionKey), text('sk')],
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
  }

  function recordOf(rejected: RejectedSubmission, workspaceIds: readonly string[], authenticated = true) {
    sequence += 1n;
    return rejectionRecord(rejected, { workspaceIds, authenticated }, String(sequence));
  }

  /** Writes what the ingest function and then the recorder would write, in one batch. */
  async function recordAll(
    all: readonly RejectedSubmission[],
    workspaceIds: readonly string[],
    authenticated = true,
  ): Promise<void> {
    const TableName = authenticated ? tables.rejections : tables.unauthenticatedRejections;
    const streamed = all.map((rejected) => ({
      record: recordOf(rejected, workspaceIds, authenticated),
      sequenceNumber: sequence,
    }));
    await Promise.all(
      streamed.map(({ record }) => fixture.writer.send(new PutCommand({ TableName, Item: record }))),
    );
    await store.enter({ streamArn: 'arn', shardId: tables.diagnostics }, streamed, NOW, patience());
  }

  async function writeBatch(items: readonly Item[]): Promise<void> {
    const requests = items.map((Item) => ({ PutRequest: { Item } }));
    await fixture.writer.send(new BatchWriteCommand({ RequestItems: { [tables.diagnostics]: requests } }));
  }

  return {
    calls: fixture.calls,
    writer: fixture.writer,
    tables,
    reader: makeDiagnosticsReader({ client: fixture.client, tables, now: () => NOW }),
    recordAll,
    record: (rejected: RejectedSubmission, workspaceIds: readonly string[], authenticated = true) =>
      recordAll([rejected], workspaceIds, authenticated),
    /** The event of a rejection, in this slot of its minute. */
    eventOf(rejected: RejectedSubmission, workspaceId: string, slot: number) {
      const item = eventItem(recordOf(rejected, [workspaceId]));
      if (!item) throw new Error('no event');
      return { ...item, sk: item.sk.replace(/\d\d$/, String(slot).padStart(2, '0')) };
    },
    /** Writes items of the diagnostics table, 10 batches at a time. */
    async writeAll(items: readonly Item[]): Promise<void> {
      for (let from = 0; from < items.length; from += 250) {
        const batches = Array.from({ length: 10 }, (_, n) => items.slice(from + n * 25, from + n * 25 + 25));
        await Promise.all(batches.filter(({ length }) => length > 0).map(writeBatch));
      }
    },
    async close(): Promise<void> {
      for (const TableName of Object.values(tables)) await admin.send(new DeleteTableCommand({ TableName }));
    },
  };
}

export function rejection(atMilliseconds: number, reason: Reason, rest: Partial<RejectedSubmission> = {}) {
  return {
    atMilliseconds,
    reason,
    requestId: randomUUID(),
    surface: '1a' as Surface,
    formId: 'form_1',
    detail: { length: 7 },
    sourceAddress: '192.0.2.1',
    userAgent: 'test',
    bodyBytes: 12,
    ...rest,
  };
}

export const newWorkspace = () => `ws_${randomUUID()}`;
