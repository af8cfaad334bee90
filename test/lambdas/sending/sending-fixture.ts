import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { BoundedMap } from '#aws/bounded-map.ts';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { makeWorkspaceGuard } from '#aws/removed-workspaces.ts';
import { copyTable } from '#local/fixture/copy-table.ts';
import { type LeadEvent, toErasedItem } from '#model/lead-events.ts';
import { type Lead, makeLeadId, toLeadItem } from '#model/lead-item.ts';
import { makeRecipientStore } from '#recipients/recipients-store.ts';
import { makeSigningSecret } from '#sending/compose-message.ts';
import type { AlertEvent, Destination } from '#sending/destination.ts';
import {
  makeDestinationReader,
  makeDestinationStore,
  makeDestinationSwitch,
} from '#sending/destinations-store.ts';
import { makeDispatch } from '#sending/dispatch/handler.ts';
import { makeHealthStore } from '#sending/health-store.ts';
import type { Mail } from '#sending/mail-store.ts';
import type { SendTask } from '#sending/message.ts';
import { makeMessageReader } from '#sending/message-reader-store.ts';
import { makeMessages } from '#sending/messages-store.ts';
import type { OutboundRequest, OutboundResult } from '#sending/outbound-http.ts';
import { makeRecipientState } from '#sending/recipient-state-store.ts';
import { makeSend, makeSendTelemetry, type SendFunctionDependencies } from '#sending/send/handler.ts';
import { makeSendingReader } from '#sending/send/read-for-sending-store.ts';
import { makeRecipientMailer } from '#sending/send/recipient-mailer.ts';
import { makeSlowLane } from '#sending/slow-lane-store.ts';
import { localStack } from '../../local-stack.ts';
import { setAttributes } from '../../stored-items.ts';
import { putWorkspace } from '../stats/stream-records.ts';
import { type Faults, makeTimedQueue, NO_FAULTS, withFault } from './timed-queue.ts';

export const LINKS_URL = 'https://settings.example';
const START = Date.parse('2026-11-15T12:00:00Z');

export type Receiver = (request: OutboundRequest) => OutboundResult | Promise<OutboundResult>;

/** Replaces parts of the send function, to see what a defect does. */
export type Alter = (parts: SendFunctionDependencies) => Partial<SendFunctionDependencies>;

interface BenchOptions {
  readonly faults?: Faults;
  readonly alter?: Alter;
}

/**
 * Dispatch and send on real tables, without streams, and a queue whose time is the fixture's own: five days of retries
 * take a moment. A receiver is a function of the request.
 */
export async function openSendingFixture({ faults = NO_FAULTS, alter = () => ({}) }: BenchOptions = {}) {
  const { tables: stackTables, newClient } = localStack();
  const engine = newClient();
  const copies = [
    ...(['leads', 'destinations', 'destinationSecrets', 'messages'] as const),
    ...(['recipients', 'members', 'workspaces'] as const),
  ];
  const names = await Promise.all(copies.map((tableKey) => copyTable(engine, stackTables[tableKey])));
  const tables = {
    ...stackTables,
    ...Object.fromEntries(copies.map((tableKey, index) => [tableKey, names[index]])),
  };
  const client = toDocumentClient(engine);
  const observed = { client, tables };
  const faultyEngine = newClient();
  faultyEngine.middlewareStack.add((next) => (args) => withFault(faults, () => next(args)), {
    step: 'initialize',
  });
  const context = { client: toDocumentClient(faultyEngine), tables };
  const clock = { now: START };
  const now = () => clock.now;
  const received: { url: string; id: string; body: string; at: number }[] = [];
  const receivers = new Map<string, Receiver>();
  const mails: Mail[] = [];
  const mailResponses: OutboundResult[] = [];
  const lines: string[] = [];
  const signal = AbortSignal.timeout(600_000);
  const queue = makeTimedQueue(clock, faults, lines);

  const sendingReader = makeSendingReader(context);
  const recipients = makeRecipientStore(context);
  const parts: SendFunctionDependencies = {
    reader: sendingReader,
    recipients,
    recipientState: makeRecipientState(context),
    messages: makeMessages(context),
    health: makeHealthStore(context),
    destinations: makeDestinationSwitch(context),
    destinationList: makeDestinationReader(context),
    slowLane: makeSlowLane(context),
    workspaces: makeWorkspaceGuard(context),
    queue,
    async post(request) {
      const response = (await receivers.get(request.url)?.(request)) ?? { error: 'connection_refused' };
      const { url, body, headers } = request;
      received.push({ url, body, id: headers['webhook-id'] ?? '', at: now() });
      return response;
    },
    mailer: makeRecipientMailer({
      mailer: {
        async send(mail) {
          mails.push(mail);
          return mailResponses.shift() ?? { status: 200 };
        },
      },
      store: recipients,
      reader: sendingReader,
      linksUrl: LINKS_URL,
      stopLinks: new BoundedMap(100),
      newBytes: randomBytes,
      now,
    }),
    consoleUrl: undefined,
    telemetry: makeSendTelemetry(now, (line) => lines.push(line)),
    now,
    newId: randomUUID,
    random: () => 0,
  };
  const send = makeSend({ ...parts, ...alter(parts) });
  const dispatch = makeDispatch({
    destinations: makeDestinationReader(context),
    queue,
    bus: undefined,
    log: { write: () => undefined },
    now,
    onError: (error) => lines.push(JSON.stringify({ level: 'ERROR', message: String(error) })),
  });
  const store = makeDestinationStore(observed);

  const perform = (tasks: readonly SendTask[]) => queue.perform(tasks, send);
  const runUntil = (end: number) => queue.runUntil(end, send);

  async function newDestination(workspaceId: string, url: string, changes: Partial<Destination> = {}) {
    const destination: Destination = {
      workspaceId,
      destinationId: `dest_${randomUUID().replaceAll('-', '')}`,
      kind: 'webhook',
      name: 'CRM',
      url,
      events: ['lead.accepted', 'lead.erased'],
      forms: 'all',
      onlyClean: true,
      includeFields: false,
      status: 'active',
      createdAt: new Date(now()).toISOString(),
      ...changes,
    };
    await putWorkspace(observed, workspaceId);
    await store.create(destination, { signingSecret: makeSigningSecret(randomBytes(32)) }, signal);
    return destination;
  }

  /** Stores a lead without a stream, and announces it. */
  async function accept(workspaceId: string): Promise<string> {
    const leadId = makeLeadId(now(), randomBytes(10));
    const lead: Lead = {
      leadId,
      workspaceId,
      formId: 'form_1',
      surface: '1a',
      receivedAt: new Date(now()).toISOString(),
      score: 80,
      clean: true,
      grade: 'A',
      signals: [],
      body: '{"email":"ada@analytical-engines.co.uk"}',
    };
    await client.send(new PutCommand({ TableName: tables.leads, Item: toLeadItem(lead) }));
    await announce({
      type: 'lead.accepted',
      workspaceId,
      formId: 'form_1',
      leadId,
      at: lead.receivedAt,
      clean: true,
    });
    return leadId;
  }

  /** As a review does it. */
  const setClean = (leadId: string, clean: boolean) =>
    setAttributes(client, tables.leads, { leadId, part: 'lead' }, { clean });

  async function erase(workspaceId: string, leadId: string): Promise<void> {
    await client.send(new DeleteCommand({ TableName: tables.leads, Key: { leadId, part: 'lead' } }));
    const { erasedAt } = toErasedItem({ leadId, workspaceId, formId: 'form_1' }, now());
    await announce({ type: 'lead.erased', workspaceId, formId: 'form_1', leadId, at: erasedAt });
  }

  async function announce(event: LeadEvent | AlertEvent): Promise<void> {
    const Records = [{ body: JSON.stringify(event), messageId: '1' }];
    for (;;) {
      const { batchItemFailures } = await dispatch({ Records } as unknown as SQSEvent);
      if (batchItemFailures.length === 0 && !faults.repeats()) return;
      if (faults === NO_FAULTS) throw new Error(`dispatch failed: ${lines.at(-1)}`);
    }
  }

  const reader = makeMessageReader({ ...observed, now });
  return {
    /** The client of the functions' stores. */
    engine: faultyEngine,
    clock,
    now,
    queued: queue.queued,
    received,
    receivers,
    mails,
    mailResponses,
    observed,
    queue,
    lines,
    store,
    slowLane: parts.slowLane,
    runUntil,
    runFor: (milliseconds: number) => runUntil(now() + milliseconds),
    perform,
    sweep: () => send({} as never),
    newDestination,
    accept,
    setClean,
    erase,
    announce,
    messagesOf: async (destinationId: string) =>
      (await reader.list(destinationId, { limit: 1_000 }, signal)).messages,
    healthOf: async (destinationId: string) => (await reader.healthOf([destinationId], signal))[0],
    destination: (workspaceId: string, id: string) => store.find(workspaceId, id, signal),
    signal,
    async close() {
      for (const TableName of names) await engine.send(new DeleteTableCommand({ TableName }));
      engine.destroy();
      faultyEngine.destroy();
    },
  };
}

/** A fixture for the tests of one file. Each test has a workspace and addresses of its own, and an empty queue. */
export async function openSendingFixtureForTests() {
  const fixture = await openSendingFixture();
  let count = 0;
  beforeEach(() => {
    count += 1;
    fixture.received.length = 0;
    fixture.queued.length = 0;
  });
  afterAll(() => fixture.close());
  return {
    fixture,
    own: {
      get workspaceId() {
        return `ws_${count}`;
      },
      url: (name: string) => `https://${name}.example/${count}`,
      /** Without what destinations of earlier tests get, which are still probed. */
      received: () => fixture.received.filter(({ url }) => url.endsWith(`/${count}`)),
    },
    statusesOf: async (destinationId: string) =>
      (await fixture.messagesOf(destinationId)).map(({ status }) => status),
  };
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
