import type { DynamoDBRecord } from 'aws-lambda';
import type { AnySurface } from '#model/limits.ts';
import type { Submission } from '#submission/submission.ts';
import { QueueDouble } from '../double/queue-double.ts';
import { makeStreams, type TableStream } from '../double/table.ts';
import { type Activity, Environment } from '../machine/environment.ts';
import { Network } from '../machine/network.ts';
import type { FaultProfile } from '../machine/outcome.ts';
import { Scheduler, type SeededRandom } from '../machine/scheduler.ts';
import { Timeline } from '../machine/timeline.ts';
import type { VirtualTime } from '../machine/virtual-time.ts';
import type { ChangeKind, ChangeRecord, GivenResponse, Moment, SubmissionRecord } from './background.ts';
import {
  type Ingest,
  makeIngest,
  makeOwnerActions,
  type OwnerActions,
  type Surroundings,
} from './functions.ts';
import { gatewayEvent, type Kit, PATIENCE, type Sender, type Submit } from './sender.ts';

export interface WorldOptions {
  readonly random: SeededRandom;
  readonly faultProfile: FaultProfile;
  readonly startAt: number;
  readonly keepTimeline: boolean;
}

interface IngestEnvironment extends Environment {
  ingest?: Ingest;
}

const ENVIRONMENTS: Readonly<Record<AnySurface, string>> = {
  '1a': 'server',
  '1b': 'webhook',
  '2': 'browser',
};

/** Few per surface, so that requests often get a warm one. */
const MAX_IDLE_PER_SURFACE = 4;
const MAX_OWNER_ATTEMPTS = 6;

/** The service with its senders and its owner, over the doubles. One per schedule. */
export class World {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly faultProfile: FaultProfile;
  readonly timeline: Timeline;
  readonly double: Kit['double'];
  readonly streams = makeStreams();
  readonly queue: QueueDouble;
  readonly sender: Sender;
  readonly submissions: SubmissionRecord[] = [];
  readonly changes: ChangeRecord[] = [];
  /** Whose leads the owner erases, and when that was asked for. Set to complete once the service has said so. */
  erasure: { readonly person: string; readonly askedAt: number; readonly complete: boolean } | undefined;
  /** Initial counters of the scenario. */
  readonly countedBefore = new Map<string, number>();
  /** The records that each stream follower had seen when it finished. */
  readonly followed = new Map<string, readonly DynamoDBRecord[]>();
  readonly network: Network;
  readonly #kit: Kit;
  readonly #scheduler: Scheduler;
  readonly #surroundings: Pick<Surroundings, 'now' | 'random'>;
  readonly #environments = new Map<string, IngestEnvironment>();
  readonly #counts = new Map<string, number>();
  #programs = 0;
  #failure: unknown;

  constructor(kit: Kit, { random, faultProfile, startAt, keepTimeline }: WorldOptions) {
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
    this.queue = new QueueDouble(this.time.now);
    this.sender = kit.sender;
    this.#scheduler = new Scheduler(random.fork(), this.time);
    const { time, timeline } = this;
    this.network = new Network({
      scheduler: this.#scheduler,
      time,
      timeline,
      random: random.fork(),
      faultProfile,
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
    const carry = (service: typeof this.double | typeof this.queue, patience: number) =>
      this.network.carry(environment, service, patience);
    const clients = this.#kit.slots.take({
      patient: carry(this.double, PATIENCE.requestTimeoutMilliseconds),
      recording: carry(this.double, PATIENCE.recordingMilliseconds),
      queue: carry(this.queue, PATIENCE.queueTimeoutMilliseconds),
    });
    return { environment, surroundings: { clients, ...this.#surroundings } };
  }

  /** Sends once. Undefined if no response reached the sender: the function died, or the response was lost. */
  async submit(client: string, sent: Submit): Promise<GivenResponse | undefined> {
    const activity = this.newActivity(client);
    await this.turn(activity.name, `sends on ${sent.surface}`);
    const { surface, key, sender = this.sender, flawed = false } = sent;
    const body = sent.body.replace('$REF', activity.name);
    const environment = this.#environmentFor(surface, sent.environment);
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
    const response = await environment.invoke(record, () => (environment.ingest as Ingest)(event));
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

  #environmentFor(surface: AnySurface, name: string | undefined): IngestEnvironment {
    const prefix = ENVIRONMENTS[surface];
    const wanted = name === undefined ? undefined : this.#environments.get(`${prefix}-${name}`);
    if (wanted?.isIdle) return wanted;
    const idle = [...this.#environments.values()].filter(
      (each) => each.isIdle && each.name.startsWith(`${prefix}-`),
    );
    if (
      name === undefined &&
      idle.length > 0 &&
      (idle.length >= MAX_IDLE_PER_SURFACE || this.random.chance(0.6))
    ) {
      return this.random.pick(idle);
    }
    return this.#newIngestEnvironment(surface, `${prefix}-${name ?? this.#environments.size + 1}`);
  }

  #newIngestEnvironment(surface: AnySurface, name: string): IngestEnvironment {
    const { environment, surroundings } = this.newEnvironment(name);
    const telemetry = {
      submission: ({ requestId, outcome }: Submission) => {
        if (outcome?.kind === 'rejected') this.#recordOf(requestId).reason = outcome.reason;
      },
      defect: (error: unknown, { requestId }: { requestId: string }) => {
        this.#recordOf(requestId).defect = error;
      },
    };
    const made: IngestEnvironment = Object.assign(environment, {
      ingest: makeIngest(surface, surroundings, telemetry),
    });
    this.#environments.set(name, made);
    return made;
  }

  #recordOf(requestId: string): SubmissionRecord {
    return this.submissions.findLast(({ name }) => name === requestId) as SubmissionRecord;
  }
}
