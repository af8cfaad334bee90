import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { type TableNames, toDocumentClient } from '#aws/dynamodb.ts';
import { browserConfigurations } from '#browser/browser-configuration-store.ts';
import { makeBrowserSubmission } from '#browser/browser-submission/handler.ts';
import type { SigningKey } from '#browser/browser-token.ts';
import { makeLeadId } from '#model/lead-item.ts';
import type { AnySurface } from '#model/limits.ts';
import { DELIVERY_ATTRIBUTES } from '#sources/judge-delivery.ts';
import { makeSourceSubmission } from '#sources/source-submission/handler.ts';
import { slugConfigurations, tokenConfigurations } from '#submission/configuration-store.ts';
import { makeIngestStores } from '#submission/ingest-dependencies.ts';
import { makeIngestServer } from '#submission/ingest-server/handler.ts';
import { makeIngestWebhook } from '#submission/ingest-webhook/handler.ts';
import type { Telemetry } from '#submission/respond-and-report.ts';
import type { HttpResponse, Submission } from '#submission/submission.ts';
import { makeAdministration, makeOwnerAdministration } from '#workspaces/administration.ts';
import type { SeededRandom } from '../../random.ts';
import { TABLE_DEFINITIONS } from '../double/table.ts';
import { type Carry, wiredDynamoDb, wiredSqs } from '../double/wired-client.ts';
import type { Environment } from '../machine/environment.ts';
import { PATIENCE, type SubmissionRecord } from './sender.ts';
import type { World } from './world.ts';

/** The transports of a set of clients. */
interface Wires {
  readonly patient: Carry;
  readonly recording: Carry;
  readonly queue: Carry;
}

/** The clients of one environment. */
export interface Clients {
  readonly client: DynamoDBDocumentClient;
  readonly recordingClient: DynamoDBDocumentClient;
  readonly queueClient: SQSClient;
}

interface Slot extends Clients {
  wires: Wires | undefined;
  forget(): void;
}

const RETRY_CAPACITY = 500;

/**
 * Creating a client costs more than a dozen calls, so schedules reuse clients. Their retry budget is reset in between,
 * so that a schedule doesn't depend on earlier ones.
 */
export class ClientSlots {
  readonly #slots: readonly Slot[];
  #used = 0;

  private constructor(slots: readonly Slot[]) {
    this.#slots = slots;
  }

  static async make(count: number): Promise<ClientSlots> {
    return new ClientSlots(await Promise.all(Array.from({ length: count }, makeSlot)));
  }

  take(wires: Wires): Clients {
    const slot = this.#slots[this.#used];
    if (!slot) throw new Error('More environments than slots');
    this.#used += 1;
    slot.wires = wires;
    return slot;
  }

  giveBack(): void {
    for (const slot of this.#slots.slice(0, this.#used)) slot.forget();
    this.#used = 0;
  }
}

async function makeSlot(): Promise<Slot> {
  const nowhere: Carry = () => new Promise(() => undefined);
  const wire =
    (which: keyof Wires): Carry =>
    (...call) =>
      (slot.wires?.[which] ?? nowhere)(...call);
  const patient = wiredDynamoDb(wire('patient'), PATIENCE.maxAttempts);
  const recording = wiredDynamoDb(wire('recording'), 1);
  const queueClient = wiredSqs(wire('queue'), PATIENCE.maxAttempts);
  const strategies = await Promise.all(
    [patient, recording, queueClient].map(({ config }) => config.retryStrategy()),
  );
  const slot: Slot = {
    wires: undefined,
    client: toDocumentClient(patient),
    recordingClient: toDocumentClient(recording),
    queueClient,
    forget() {
      slot.wires = undefined;
      for (const strategy of strategies) Object.assign(strategy, { capacity: RETRY_CAPACITY });
    },
  };
  return slot;
}

export const TABLES = Object.fromEntries(
  Object.keys(TABLE_DEFINITIONS).map((tableKey) => [tableKey, tableKey]),
) as unknown as TableNames;

export interface Surroundings {
  readonly clients: Clients;
  readonly now: () => number;
  readonly random: SeededRandom;
}

/** Signs the tokens of pages. Reading it from Secrets Manager is not part of the schedules. */
export const BROWSER_KEY: SigningKey = { keyId: 'faults', secret: Buffer.alloc(32, 7) };
const readKeys = async () => [BROWSER_KEY];

export type Ingest = (event: unknown) => Promise<HttpResponse>;

/** The real handler of a surface with the real stores, wired like the deployed function. */
export function makeIngest(
  surface: AnySurface,
  { clients, now, random }: Surroundings,
  telemetry: Telemetry,
): Ingest {
  const { client, recordingClient } = clients;
  const dependencies = {
    ...makeIngestStores({
      client,
      recordingClient,
      tables: TABLES,
      random: () => random.next(),
      recordingMilliseconds: PATIENCE.recordingMilliseconds,
    }),
    deadlineMilliseconds: PATIENCE.deadlineMilliseconds,
    tickClock: { now, sleepUntil: (moment: number) => sleep(moment - now()) },
    telemetry,
    now,
    newId: () => Buffer.from(random.bytes(16)).toString('hex'),
    newLeadId: (at: number) => makeLeadId(at, random.bytes(10)),
  };
  const context = { client, tables: TABLES };
  const handler = {
    '1a': () => makeIngestServer({ ...dependencies, tokens: tokenConfigurations(context) }),
    '1b': () => makeIngestWebhook({ ...dependencies, slugs: slugConfigurations(context) }),
    '1c': () =>
      makeSourceSubmission({
        ...dependencies,
        slugs: slugConfigurations(context, DELIVERY_ATTRIBUTES),
        tokens: tokenConfigurations(context),
      }),
    '2': () =>
      makeBrowserSubmission({ ...dependencies, forms: browserConfigurations({ ...context, readKeys }) }),
  }[surface]();
  // The pipeline's first step replaces the event with a submission.
  return (event) => handler(event as Parameters<typeof handler>[0], {} as Context);
}

interface IngestEnvironment extends Environment {
  readonly ingest: Ingest;
}

const ENVIRONMENTS: Readonly<Record<AnySurface, string>> = {
  '1a': 'server',
  '1b': 'webhook',
  '1c': 'source',
  '2': 'browser',
};

/** Few per surface, so that requests often get a warm one. */
const MAX_IDLE_PER_SURFACE = 4;

/** The environments of the ingest functions. */
export class IngestEnvironments {
  readonly #world: World;
  readonly #environments = new Map<string, IngestEnvironment>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The same name means the same environment while it is alive and idle. */
  one(surface: AnySurface, name: string | undefined): IngestEnvironment {
    const prefix = ENVIRONMENTS[surface];
    const wanted = name === undefined ? undefined : this.#environments.get(`${prefix}-${name}`);
    if (wanted?.isIdle) return wanted;
    const idle = [...this.#environments.values()].filter(
      (each) => each.isIdle && each.name.startsWith(`${prefix}-`),
    );
    const isWarm = idle.length >= MAX_IDLE_PER_SURFACE || (idle.length > 0 && this.#world.random.chance(0.6));
    if (name === undefined && isWarm) return this.#world.random.pick(idle);
    return this.#make(surface, `${prefix}-${name ?? this.#environments.size + 1}`);
  }

  #make(surface: AnySurface, name: string): IngestEnvironment {
    const { environment, surroundings } = this.#world.newEnvironment(name);
    const recordOf = (requestId: string) =>
      this.#world.submissions.findLast((each) => each.name === requestId) as SubmissionRecord;
    const telemetry = {
      submission: ({ requestId, outcome }: Submission) => {
        if (outcome?.kind === 'rejected') recordOf(requestId).reason = outcome.reason;
      },
      defect: (error: unknown, { requestId }: { requestId: string }) => {
        recordOf(requestId).defect = error;
      },
    };
    const made = Object.assign(environment, { ingest: makeIngest(surface, surroundings, telemetry) });
    this.#environments.set(name, made);
    return made;
  }
}

/** The code with which the settings function and leadctl change configuration. */
export function makeOwnerActions({ clients, now, random }: Surroundings, workspaceId: string) {
  const context = {
    client: clients.client,
    tables: TABLES,
    now,
    randomBytes: (count: number) => random.bytes(count),
  };
  return { ...makeAdministration(context), ...makeOwnerAdministration(context)(workspaceId) };
}

export type OwnerActions = ReturnType<typeof makeOwnerActions>;
