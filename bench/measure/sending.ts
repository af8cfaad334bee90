import { randomBytes, randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { makeWorkspaceGuard } from '../../lambdas/aws/removed-workspaces.ts';
import { makeFunctionLog } from '../../lambdas/aws/telemetry.ts';
import type { LeadEvent } from '../../lambdas/model/lead-events.ts';
import { makeRecipientStore } from '../../lambdas/recipients/recipients-store.ts';
import { makeSigningSecret } from '../../lambdas/sending/compose-message.ts';
import {
  makeDestinationReader,
  makeDestinationStore,
  makeDestinationSwitch,
} from '../../lambdas/sending/destinations-store.ts';
import { makeDispatch } from '../../lambdas/sending/dispatch/handler.ts';
import { makeHealthStore } from '../../lambdas/sending/health-store.ts';
import type { SendTask } from '../../lambdas/sending/message.ts';
import { makeMessages } from '../../lambdas/sending/messages-store.ts';
import { makeRecipientState } from '../../lambdas/sending/recipient-state-store.ts';
import { makeSend, makeSendTelemetry } from '../../lambdas/sending/send/handler.ts';
import { makeSendingReader } from '../../lambdas/sending/send/read-for-sending-store.ts';
import type { QueuedTask } from '../../lambdas/sending/send-queue-store.ts';
import { makeSlowLane } from '../../lambdas/sending/slow-lane-store.ts';
import { type IngestFixture, submissionId } from '../../local/fixture/ingest-fixture.ts';
import { type CountedSending, LOG_EVENT_BYTES, SENDING_ASSUMPTIONS, sendingDollars } from '../cost/prices.ts';
import { BODIES, type Size } from '../fixtures/index.ts';
import { makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';

const { batch: BATCH } = SENDING_ASSUMPTIONS;

/** What forwarding leads of one size costs. */
export interface SendingCost extends CountedSending {
  readonly size: Size;
  readonly destinations: number;
  /** US dollars per million events, with the messages to all their destinations. */
  readonly byService: Readonly<Record<string, number>>;
}

/** Smaller leads and those of 4 KB cost the same: they also fit into one read unit. */
const CASES: readonly (readonly [Size, number])[] = [
  ['1 KB', 0],
  ['1 KB', 1],
  ['128 KB', 1],
  ['1 KB', 5],
];

export async function measureSending(bench: IngestFixture): Promise<SendingCost[]> {
  const costs: SendingCost[] = [];
  for (const [size, destinations] of CASES) {
    const counted = await countSending(bench, size, destinations);
    const perMillion = Object.entries(sendingDollars(counted)).map(([service, dollars]) => [
      service,
      (dollars / counted.events) * 1e6,
    ]);
    costs.push({ size, destinations, ...counted, byService: Object.fromEntries(perMillion) });
  }
  return costs;
}

/** Applies AWS's rules to the calls that the real dispatch and send make for ten leads and webhooks that respond. */
export async function countSending(
  { stack, clock, newSender, newEnvironment }: IngestFixture,
  size: Size,
  destinations: number,
): Promise<CountedSending> {
  const rawClient = stack.newClient();
  const wire = recordWire(rawClient);
  const context = { client: toDocumentClient(rawClient), tables: stack.tables };
  const now = () => clock.now;
  const tasks: SendTask[] = [];
  let queueCalls = 0;
  let logBytes = 0;
  const count = (line: string) => {
    logBytes += Buffer.byteLength(line) + LOG_EVENT_BYTES;
  };
  const queue = {
    async add(added: readonly QueuedTask[]) {
      queueCalls += Math.ceil(added.length / BATCH);
      tasks.push(...added.map(({ task }) => task));
    },
  };

  // A workspace that no running stack dispatches for. Leads are found by their ids alone.
  const workspaceId = `ws_${randomUUID()}`;
  await makeDestinations(context, workspaceId, destinations, clock.now);
  const sender = await newSender();
  const environment = newEnvironment();
  const events: LeadEvent[] = [];
  for (let n = 0; n < BATCH; n += 1) {
    const leadId = submissionId(await environment.server(sender, { body: BODIES[size] }));
    const at = new Date(clock.now).toISOString();
    events.push({ type: 'lead.accepted', workspaceId, formId: sender.formId, leadId, at, clean: true });
  }

  wire.reset();
  const dispatch = makeDispatch({
    destinations: makeDestinationReader(context),
    queue,
    bus: undefined,
    log: makeFunctionLog(now, count),
    now,
  });
  await succeed(dispatch(fromQueue(events)));
  const send = makeSend({
    reader: makeSendingReader(context),
    messages: makeMessages(context),
    health: makeHealthStore(context),
    destinations: makeDestinationSwitch(context),
    destinationList: makeDestinationReader(context),
    slowLane: makeSlowLane(context),
    workspaces: makeWorkspaceGuard(context),
    recipients: makeRecipientStore(context),
    recipientState: makeRecipientState(context),
    queue,
    post: async () => ({ status: 200 }),
    mailer: undefined,
    consoleUrl: undefined,
    telemetry: makeSendTelemetry(now, count),
    now,
    newId: randomUUID,
    random: Math.random,
  });
  for (let from = 0; from < tasks.length; from += BATCH) {
    await succeed(send(fromQueue(tasks.slice(from, from + BATCH))));
  }
  const { readUnits, writeUnits } = await makeCapacity(stack.newClient())(wire.list());
  return { events: events.length, messages: tasks.length, readUnits, writeUnits, queueCalls, logBytes };
}

export async function makeDestinations(
  context: Parameters<typeof makeDestinationStore>[0],
  workspaceId: string,
  amount: number,
  nowMilliseconds: number,
  url = 'https://crm.example.com/integrations/webhooks/incoming-leads',
): Promise<void> {
  const store = makeDestinationStore(context);
  for (let n = 0; n < amount; n += 1) {
    const destination = {
      workspaceId,
      destinationId: `dest_${randomUUID().replaceAll('-', '')}`,
      kind: 'webhook',
      name: 'Customer relationship management',
      url,
      events: ['lead.accepted', 'lead.enriched', 'lead.erased'],
      forms: 'all',
      onlyClean: true,
      includeFields: false,
      status: 'active',
      createdAt: new Date(nowMilliseconds - 1_000).toISOString(),
    } as const;
    const signingSecret = makeSigningSecret(randomBytes(32));
    await store.create(destination, { signingSecret }, AbortSignal.timeout(60_000));
  }
}

function fromQueue(bodies: readonly object[]): SQSEvent {
  const Records = bodies.map((body, index) => ({ messageId: String(index), body: JSON.stringify(body) }));
  return { Records } as Partial<SQSEvent> as SQSEvent;
}

async function succeed(
  response: Promise<{ batchItemFailures: readonly object[] } | undefined>,
): Promise<void> {
  const failures = (await response)?.batchItemFailures ?? [];
  if (failures.length > 0) throw new Error(`${failures.length} tasks failed`);
}
