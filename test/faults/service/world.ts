import type { DynamoDBRecord } from 'aws-lambda';
import type { SeededRandom } from '../../random.ts';
import { QUEUES, QueueDouble } from '../double/queue-double.ts';
import { makeStreams, type TableStream } from '../double/table.ts';
import type { Item } from '../double/wire-format.ts';
import { type Activity, Environment } from '../machine/environment.ts';
import { Network, type Service } from '../machine/network.ts';
import type { FaultProfile } from '../machine/outcome.ts';
import { Scheduler } from '../machine/scheduler.ts';
import { Timeline } from '../machine/timeline.ts';
import type { VirtualTime } from '../machine/virtual-time.ts';
import { IngestEnvironments, makeOwnerActions, type OwnerActions, type Surroundings } from './functions.ts';
import {
  type ChangeKind,
  type ChangeRecord,
  type GivenResponse,
  gatewayEvent,
  type Kit,
  keyOn,
  type Moment,
  PATIENCE,
  type Sender,
  type SubmissionRecord,
  type Submit,
} from './sender.ts';

export interface WorldOptions {
  readonly random: SeededRandom;
  readonly faultProfile: FaultProfile;
  readonly startAt: number;
  readonly keepTimeline: boolean;
  readonly lateWithinMilliseconds?: number | undefined;
}

interface ErasureRecord {
  /** Whose leads the owner erases. */
  readonly person: string;
  /** Those that had arrived when this was asked for. */
  readonly leadIds: ReadonlySet<string>;
  readonly complete: boolean;
  /** Everything that was stored when the service called it complete, or later. */
  readonly storedSince?: readonly { readonly table: string; readonly item: Item }[];
}

const MAX_OWNER_ATTEMPTS = 6;

/** The service with its senders and its owner, over the doubles. One per schedule. */
export class World {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly faultProfile: FaultProfile;
  readonly timeline: Timeline;
  readonly double: Kit['double'];
  readonly streams = makeStreams();
  /** What the relay sends to enrichment, and what it sends to the index. */
  readonly queue: QueueDouble;
  readonly indexQueue: QueueDouble;
  readonly sender: Sender;
  readonly submissions: SubmissionRecord[] = [];
  readonly changes: ChangeRecord[] = [];
  erasure: ErasureRecord | undefined;
  /** Whether leads were restored. */
  restored = false;
  /** Whether an operator removes the workspace, and whether the command has said that it is gone. */
  offboarding: 'begun' | 'gone' | undefined;
  /** Streams and queues that lag: nothing of them is delivered. */
  readonly held = new Set<string>();
  /** Initial counters of the scenario. */
  readonly countedBefore = new Map<string, number>();
  /** The records that each stream follower had seen when it finished. */
  readonly followed = new Map<string, readonly DynamoDBRecord[]>();
  readonly network: Network;
  readonly #kit: Kit;
  readonly #scheduler: Scheduler;
  readonly #surroundings: Pick<Surroundings, 'now' | 'random'>;
  readonly #ingest = new IngestEnvironments(this);
  readonly #counts = new Map<string, number>();
  #programs = 0;
  #failure: unknown;

  constructor(
    kit: Kit,
    { random, faultProfile, startAt, keepTimeline, lateWithinMilliseconds }: WorldOptions,
  ) {
    this.#kit = kit;
    this.time = kit.time;
    this.time.restart(startAt);
    this.random = random.fork();
    this.faultProfile = faultProfile;
    this.timeline = new Timeline(startAt, keepTimeline);
    this.double = kit.double;
    this.double.restore(kit.beginning);
    const streams: Readonly<Record<string, TableStream>> = this.streams;
    this.double.onChange = (change) => streams[change.table]?.add(change);
    this.queue = new QueueDouble(this.time.now, QUEUES.enrichment);
    this.indexQueue = new QueueDouble(this.time.now, QUEUES.index);
    this.sender = kit.sender;
    this.#scheduler = new Scheduler(random.fork(), this.time);
    const { time, timeline } = this;
    this.network = new Network({
      scheduler: this.#scheduler,
      time,
      timeline,
      random: random.fork(),
      faultProfile,
      lateWithinMilliseconds,
    });
    const codeRandom = random.fork();
    Math.random = () => codeRandom.next();
    this.#surroundings = { now: this.time.now, random: codeRandom };
  }

  /** Starts a concurrent actor. */
  program(work: () => Promise<void>): void {
    this.#programs += 1;
    work()
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#programs -= 1;
      });
  }

  async run(): Promise<void> {
    await this.#scheduler.run(() => this.#programs === 0 || this.#failure !== undefined);
    this.#kit.slots.giveBack();
    const failure = this.#failure ?? this.network.errors[0];
    if (failure) throw failure;
  }

  /** Waits for a turn, so that others may go first. */
  turn(actor: string, what: string, environment = '-'): Promise<void> {
    return new Promise((resolve) => {
      const take = () => {
        this.note(actor, what, '', environment);
        resolve();
      };
      this.#scheduler.offer({ actor, take });
    });
  }

  note(activity: string, what: string, outcome: string, environment = '-'): void {
    const at = this.time.now();
    this.timeline.add({ at, environment, activity, what, outcome, detail: () => '' });
  }

  now(): Moment {
    return { index: this.timeline.length, at: this.time.now() };
  }

  newActivity(name: string): Activity {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return { name: `${name}.${count}`, faults: [], died: false };
  }

  newEnvironment(name: string): { environment: Environment; surroundings: Surroundings } {
    const environment = new Environment(name);
    const carry = (service: Service, patience: number) => this.network.carry(environment, service, patience);
    const queues: Service = {
      execute: (operation, input) =>
        (String(input.QueueUrl).endsWith('/index') ? this.indexQueue : this.queue).execute(operation, input),
    };
    const clients = this.#kit.slots.take({
      patient: carry(this.double, PATIENCE.requestTimeoutMilliseconds),
      recording: carry(this.double, PATIENCE.recordingMilliseconds),
      queue: carry(queues, PATIENCE.queueTimeoutMilliseconds),
    });
    return { environment, surroundings: { clients, ...this.#surroundings } };
  }

  /** Sends once. Undefined if no response reached the sender: the function died, or the response was lost. */
  async submit(client: string, sent: Submit): Promise<GivenResponse | undefined> {
    const activity = this.newActivity(client);
    await this.turn(activity.name, `sends on ${sent.surface}`);
    const { surface, sender = this.sender, flawed = false } = sent;
    const key = keyOn(surface, sent.key);
    const body = sent.body.replace('$REF', activity.name);
    const environment = this.#ingest.one(surface, sent.environment);
    const record: SubmissionRecord = Object.assign(activity, {
      surface,
      key,
      body,
      sender,
      flawed,
      started: this.now(),
    });
    this.submissions.push(record);
    const event = gatewayEvent({
      surface,
      sender,
      body,
      key,
      requestId: activity.name,
      nowMilliseconds: this.time.now(),
    });
    const response = await environment.invoke(record, () => environment.ingest(event));
    if (response === 'died') return undefined;
    record.response = response as GivenResponse;
    this.note(record.name, `answers ${response.statusCode}`, record.reason ?? '', environment.name);
    record.responded = this.now();
    const lost = this.faultProfile.mostFaults > 0 && this.random.chance(this.faultProfile.faultRate);
    if (lost) this.timeline.remark(`${record.name}: the answer is lost`);
    return lost ? undefined : record.response;
  }

  /** Sends until a response arrives, up to a maximum. */
  async insist(client: string, sent: Submit, most = 3): Promise<GivenResponse | undefined> {
    for (let tries = 0; tries < most; tries += 1) {
      const response = await this.submit(client, sent);
      if (response) return response;
    }
    return undefined;
  }

  /** Makes an owner's change, and retries until it is acknowledged. */
  async change<Result>(
    kind: ChangeKind,
    work: (actions: OwnerActions) => Promise<Result>,
  ): Promise<Result | undefined> {
    await this.turn('owner', kind);
    const record: ChangeRecord = { kind, started: this.now(), tries: 0 };
    this.changes.push(record);
    for (let tries = 0; tries < MAX_OWNER_ATTEMPTS; tries += 1) {
      record.tries += 1;
      const activity = this.newActivity('owner');
      const { environment, surroundings } = this.newEnvironment(activity.name);
      const actions = makeOwnerActions(surroundings, this.sender.workspaceId);
      const result = await environment.invoke(activity, () => work(actions)).catch((error: Error) => error);
      if (result !== 'died' && !(result instanceof Error)) {
        this.note(activity.name, kind, 'acknowledged', environment.name);
        record.responded = this.now();
        return result;
      }
      this.note(activity.name, kind, result === 'died' ? 'dies' : 'fails', environment.name);
    }
    return undefined;
  }
}
