import { randomBytes, randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { makeFunctionLog } from '../../lambdas/aws/telemetry.ts';
import { makeRecorder, recorderStores } from '../../lambdas/rejections/recorder/handler.ts';
import {
  type RejectedSubmission,
  type RejectionRecord,
  rejectionRecord,
} from '../../lambdas/rejections/rejection-record.ts';
import { makeRejections } from '../../lambdas/rejections/rejections-store.ts';
import {
  type IngestFixture,
  type Request,
  type Sender,
  submissionId,
} from '../../local/fixture/ingest-fixture.ts';
import { BODIES, SIZES, type Size } from '../fixtures/index.ts';
import { type Capacity, makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';

/** Computes the units that a warm function uses for one accepted lead. */
export interface MeasureUnits {
  (body: string, request?: Request, from?: Sender): Promise<Capacity>;
  /** The same for other work with the fixture's client. */
  of(work: () => Promise<unknown>): Promise<Capacity>;
}

export function openUnitMeter(bench: IngestFixture): MeasureUnits {
  const wire = recordWire(bench.client);
  const capacityOf = makeCapacity(bench.stack.newClient());
  async function of(work: () => Promise<unknown>): Promise<Capacity> {
    wire.reset();
    await work();
    return capacityOf(wire.list());
  }
  async function ofLead(body: string, request: Request = {}, from?: Sender): Promise<Capacity> {
    const sender = from ?? (await bench.newSender());
    const environment = bench.newEnvironment();
    submissionId(await environment.server(sender));
    return of(async () => submissionId(await environment.server(sender, { ...request, body })));
  }
  return Object.assign(ofLead, { of });
}

/** The units of an accepted lead, by the size of its body. */
export interface UnitCount extends Capacity {
  readonly size: Size;
  readonly keyed: boolean;
}

/** Applies AWS's rules to the calls that a warm function actually sends. */
export async function countUnits(measureUnits: MeasureUnits): Promise<UnitCount[]> {
  const counts: UnitCount[] = [];
  for (const size of SIZES) {
    const key = { headers: { 'X-SVC-Idempotency-Key': `of ${size}` } };
    counts.push({ size, keyed: false, ...(await measureUnits(BODIES[size])) });
    counts.push({ size, keyed: true, ...(await measureUnits(BODIES[size], key)) });
  }
  return counts;
}

/** The most expensive lead: 128 KB that do not compress. */
export async function measureIncompressible(measureUnits: MeasureUnits): Promise<Capacity> {
  const room = 131_072 - '{"attachment":""}'.length;
  return measureUnits(JSON.stringify({ attachment: randomBytes(room).toString('base64').slice(0, room) }));
}

/** Write units of one rejection, from the request to Diagnostics. */
export interface RejectionUnits {
  readonly inRequest: number;
  /** Alone in its batch. */
  readonly alone: number;
  /** One of many: full batches from one workspace in the same minute. */
  readonly inFlood: number;
}

const FLOOD_BATCHES = 10;
const FLOOD_BATCH = 40;

/** Applies AWS's rules to the calls that the request and the real recorder send. */
export async function countRejectionUnits({
  stack,
  clock,
  newSender,
}: IngestFixture): Promise<RejectionUnits> {
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
      client,
      recordingClient: client,
      tables: stack.tables,
      random: Math.random,
      recordingMilliseconds: 60_000,
    });
    const owner = { workspaceIds: [`ws_${randomUUID()}`], authenticated: true };
    return unitsOf(() => rejections.record(rejectedAt(now(), 0), owner, AbortSignal.timeout(60_000)));
  }

  /** Per rejection, over this many batches. */
  async function ofRecorder(batches: number, batchSize: number): Promise<number> {
    const stores = recorderStores({ client, tables: stack.tables });
    const record = makeRecorder({ ...stores, log: makeFunctionLog(now, () => undefined), now });
    const owner = { workspaceIds: [(await newSender()).workspaceId], authenticated: true };
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

/** In DynamoDB's JSON, as in the stream. */
function inStream(record: RejectionRecord): Record<string, Record<string, unknown>> {
  const entries = Object.entries(marshall(record)).map(([name, value]) => [name, { ...value }]);
  return Object.fromEntries(entries);
}

/** The largest record: longer values are cut. Request ids are the same each time. */
export function rejectedAt(atMilliseconds: number, n: number): RejectedSubmission {
  return {
    atMilliseconds,
    requestId: `request-${n}`,
    surface: '1b',
    formId: 'form_7hYt1mDk2bLr9xQe4sWnUc',
    reason: 'rate_limited_minute',
    detail: {},
    bodyBytes: 4_096,
    sourceAddress: '192.0.2.1',
    userAgent: 'provider/1.0 '.repeat(30),
    bodySha256: 'a'.repeat(64),
    keyNames: Array.from({ length: 60 }, (_, key) => `a field of the form, number ${key}`),
  };
}

/** The log line of an accepted submission of 1 KB. */
export async function measureLogLine(bench: IngestFixture): Promise<number> {
  const environment = bench.newEnvironment();
  submissionId(await environment.server(await bench.newSender(), { body: BODIES['1 KB'] }));
  return Buffer.byteLength(environment.logLines.at(-1) ?? '');
}
