import { randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { toDocumentClient } from '../../lambdas/aws/document-client.ts';
import { makeFunctionLog } from '../../lambdas/aws/telemetry.ts';
import { makeRejectionLedger } from '../../lambdas/rejections/ledger-store.ts';
import { makeRecorder } from '../../lambdas/rejections/recorder/handler.ts';
import {
  type RejectedSubmission,
  type RejectionRecord,
  rejectionRecord,
} from '../../lambdas/rejections/rejection-record.ts';
import { makeRejections } from '../../lambdas/rejections/rejections-store.ts';
import type { IngestWorkbench } from '../../local/workbench/ingest-workbench.ts';
import { makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';

/** Write units of one rejection, from the request to Diagnostics. */
export interface RejectionUnits {
  readonly inRequest: number;
  /** In a batch of its own. */
  readonly alone: number;
  /** One of many: batch after batch from one workspace, in the same minute. */
  readonly inFlood: number;
}

const FLOOD_BATCHES = 10;
const FLOOD_BATCH = 40;

/** The calls that the request and the real recorder send, weighed by AWS's rules. */
export async function countRejectionUnits({ stack, clock }: IngestWorkbench): Promise<RejectionUnits> {
  const rawClient = stack.newClient();
  const wire = recordWire(rawClient);
  const client = toDocumentClient(rawClient);
  const capacityOf = makeCapacity(stack.newClient());
  const now = () => clock.now;

  async function unitsOf(work: () => Promise<unknown>): Promise<number> {
    wire.reset();
    await work();
    return (await capacityOf(wire.list())).writeUnits;
  }

  async function inRequest(): Promise<number> {
    const rejections = makeRejections({
      ...{ client, recordingClient: client, tables: stack.tables },
      ...{ random: Math.random, recordingMilliseconds: 60_000 },
    });
    const owner = { workspaceIds: [`ws_${randomUUID()}`], authenticated: true };
    return unitsOf(() => rejections.record(rejectedAt(now(), 0), owner, AbortSignal.timeout(60_000)));
  }

  /** For each rejection, of so many batches. */
  async function ofRecorder(batches: number, batchSize: number): Promise<number> {
    const ledger = makeRejectionLedger({ client, tables: stack.tables });
    const record = makeRecorder({ ledger, log: makeFunctionLog(now, () => undefined), now });
    const owner = { workspaceIds: [`ws_${randomUUID()}`], authenticated: true };
    const shard = { shardId: `shardId-${randomUUID()}`, eventSourceARN: 'arn:aws:dynamodb:::stream' };
    const units = await unitsOf(async () => {
      for (let batch = 0; batch < batches; batch += 1) {
        const Records = Array.from({ length: batchSize }, (_, index) => {
          const n = batch * batchSize + index;
          const NewImage = inStream(rejectionRecord(rejectedAt(now(), n), owner, 'x'));
          return { dynamodb: { SequenceNumber: String(n + 1), NewImage } };
        });
        await record({ ...shard, Records });
      }
    });
    return units / (batches * batchSize);
  }

  const request = await inRequest();
  return {
    inRequest: request,
    alone: request + (await ofRecorder(1, 1)),
    inFlood: request + (await ofRecorder(FLOOD_BATCHES, FLOOD_BATCH)),
  };
}

/** In DynamoDB's own JSON, as the stream has it. */
function inStream(record: RejectionRecord): Record<string, Record<string, unknown>> {
  const entries = Object.entries(marshall(record)).map(([name, value]) => [name, { ...value }]);
  return Object.fromEntries(entries);
}

/** As large as a record gets: what is longer is cut. Request ids are the same each time, since they choose the slots. */
function rejectedAt(atMilliseconds: number, n: number): RejectedSubmission {
  return {
    ...{ atMilliseconds, requestId: `request-${n}`, surface: '1b', formId: 'form_7hYt1mDk2bLr9xQe4sWnUc' },
    ...{ reason: 'rate_limited_minute', detail: {}, bodyBytes: 4_096, sourceAddress: '192.0.2.1' },
    ...{ userAgent: 'provider/1.0 '.repeat(30), bodySha256: 'a'.repeat(64) },
    keyNames: Array.from({ length: 60 }, (_, key) => `a field of the form, number ${key}`),
  };
}
