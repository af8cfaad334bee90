import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { makeAlertStore } from '#alerts/alerts-store.ts';
import { makeWatch } from '#alerts/watch/handler.ts';
import { makeWorkspaceReader } from '#alerts/watch/read-workspace-store.ts';
import { type TableNames, toDocumentClient } from '#aws/dynamodb.ts';
import { makeActiveWorkspaces } from '#stats/active-workspaces-store.ts';
import { ASSUMPTIONS, PRICES } from '../cost/prices.ts';
import { makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';
import { HOUR, MINUTE } from './forms.ts';

export interface WatchReads {
  readonly workspaces: number;
  readonly active: number;
  /** Of one evaluation that finds nothing new, as nearly all do. */
  readonly calls: number;
  readonly readUnits: number;
  /** Of the first evaluation of a day, which builds the baselines. */
  readonly dailyReadUnits: number;
  readonly dailyWriteUnits: number;
  /** Processor time of one evaluation per active workspace, in milliseconds: the lowest of several. Not the same every time. */
  readonly processorMilliseconds: number;
  /** US dollars per month for one active workspace. */
  readonly dollarsPerWorkspace: number;
}

type Tables = Pick<
  TableNames,
  'workspaces' | 'diagnostics' | 'stats' | 'destinations' | 'messages' | 'forms' | 'tokens' | 'alerts'
>;

interface Options {
  readonly newClient: () => DynamoDBClient;
  readonly tables: Tables;
  readonly workspaces: number;
  readonly active: number;
}

const NOW = Date.parse('2026-11-16T12:00:00Z');
const EVALUATIONS_A_DAY = 288;
const DAYS_A_MONTH = 30;

/**
 * What the watch reads where only some of many workspaces receive leads. Each active one has two forms, with a month of
 * leads in every hour of one and every other hour of the other, three senders, two destinations, and forged requests.
 */
export async function countWatchReads({
  newClient,
  tables,
  workspaces,
  active,
}: Options): Promise<WatchReads> {
  const [client, observer] = [newClient(), newClient()];
  const writer = toDocumentClient(observer);
  await fill(tables.workspaces, workspaces, (index) => [
    { workspaceId: idOf(index), name: 'Bench', status: 'active', configVersion: 1, v: 1 },
  ]);
  await fill(tables.diagnostics, active, diagnosticsOf);
  await fill(tables.stats, active, statsOf);
  await fill(tables.destinations, active, destinationsOf);
  const store = makeActiveWorkspaces({ client: writer, tables });
  await store.mark(
    Array.from({ length: active }, (_, index) => idOf(index)),
    NOW,
    AbortSignal.timeout(60_000),
  );

  const wire = recordWire(client);
  const context = { client: toDocumentClient(client), tables };
  const watch = makeWatch({
    active: makeActiveWorkspaces(context),
    reader: makeWorkspaceReader(context),
    store: makeAlertStore(context),
    events: { send: async () => new Set() },
    newAlertId: () => {
      throw new Error('nothing is wrong here');
    },
    log: { write: () => undefined },
  });
  const capacityOf = makeCapacity(observer);
  const run = async (at: number) => {
    wire.reset();
    await watch({ time: new Date(at).toISOString() });
    return { calls: wire.list().length, ...(await capacityOf(wire.list())) };
  };
  const first = await run(NOW);
  const usual = await run(NOW + 5 * MINUTE);
  const processorTimes: number[] = [];
  for (let round = 2; round < 5; round += 1) {
    const before = process.cpuUsage();
    await watch({ time: new Date(NOW + round * 5 * MINUTE).toISOString() });
    const { user, system } = process.cpuUsage(before);
    processorTimes.push((user + system) / 1_000 / active);
  }
  client.destroy();
  observer.destroy();

  const evaluations = EVALUATIONS_A_DAY * DAYS_A_MONTH;
  const milliseconds = (usual.calls / active) * ASSUMPTIONS.dynamoDbMilliseconds;
  const dollars =
    (evaluations * usual.readUnits + DAYS_A_MONTH * first.readUnits) * PRICES.readUnit +
    DAYS_A_MONTH * first.writeUnits * PRICES.writeUnit;
  return {
    workspaces,
    active,
    calls: usual.calls,
    readUnits: usual.readUnits,
    dailyReadUnits: first.readUnits,
    dailyWriteUnits: first.writeUnits,
    processorMilliseconds: Number(Math.min(...processorTimes).toFixed(1)),
    // Twenty workspaces are looked at together.
    dollarsPerWorkspace:
      dollars / active +
      (evaluations * (milliseconds / 20) * ASSUMPTIONS.memoryGigabytes * PRICES.lambdaGigabyteSecond) / 1_000,
  };

  async function fill(table: string, count: number, itemsOf: (index: number) => object[]): Promise<void> {
    const items = Array.from({ length: count }, (_, index) => itemsOf(index)).flat();
    for (let from = 0; from < items.length; from += 25) {
      const requests = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
      await writer.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
    }
  }
}

const idOf = (index: number) => `ws_bench${String(index).padStart(14, '0')}`;
const formsOf = (index: number) => ['a', 'b'].map((name) => `form_${name}${String(index).padStart(20, '0')}`);

function diagnosticsOf(index: number): object[] {
  const workspaceId = idOf(index);
  const lastUsedAt = new Date(NOW - 20 * MINUTE).toISOString();
  const [busy = '', other = ''] = formsOf(index);
  const hour = new Date(NOW - HOUR).toISOString().slice(0, 13);
  return [
    { workspaceId, sk: `use#secret#${busy}#current`, lastUsedAt, formId: busy, skewSeconds: 1, v: 1 },
    { workspaceId, sk: `use#token#tok_${index}a`, lastUsedAt, formId: busy, v: 1 },
    { workspaceId, sk: `use#token#tok_${index}b`, lastUsedAt, formId: other, v: 1 },
    { workspaceId, sk: `rejected#${hour}Z#1b#${busy}#signature_mismatch#u0`, m59: 3, m58: 4, v: 2 },
  ];
}

function statsOf(index: number): object[] {
  const workspaceId = idOf(index);
  return Array.from({ length: 28 * 24 }, (_, back) => new Date(NOW - (back + 1) * HOUR)).flatMap((at, back) =>
    formsOf(index)
      .filter((_, form) => back % (form + 1) === 0)
      .map((formId) => ({
        workspaceId,
        sk: `hour#${at.toISOString().slice(0, 13)}Z#${formId}`,
        accepted: 2,
        clean: 1,
        band80: 2,
        v: 1,
      })),
  );
}

function destinationsOf(index: number): object[] {
  return ['crm', 'mail'].map((name) => ({
    workspaceId: idOf(index),
    destinationId: `dest_${name}${index}`,
    kind: 'webhook',
    name,
    url: 'https://receiver.example.com/leads',
    events: ['lead.accepted'],
    forms: 'all',
    status: 'active',
    createdAt: new Date(NOW).toISOString(),
    v: 1,
  }));
}
