import { toEntries } from '../../lambdas/leads/search/index-entry.ts';
import { contactOfLead } from '../../lambdas/leads/search/lead-contact.ts';
import { itemBytes, toLeadItem, writeUnits } from '../../lambdas/model/lead-item.ts';
import { LIMITS, type Surface } from '../../lambdas/model/limits.ts';
import { scoreLead } from '../../lambdas/scoring/score-lead.ts';
import { type Capacity, type Environment, type Environments, STACK, type Timings } from './capacity.ts';

/** A process in simulated time. It yields the milliseconds to wait. */
export type Process<Outcome> = Generator<number, Outcome, void>;

interface Due {
  readonly at: number;
  readonly order: number;
  readonly process: Process<void>;
}

/** Simulated time in milliseconds. Processes that are due at the same time continue in the order of their start. */
export class Timeline {
  now = 0;
  private readonly heap: Due[] = [];
  private scheduled = 0;

  start(process: Process<void>, afterMilliseconds: number): void {
    this.scheduled += 1;
    this.push({ at: this.now + afterMilliseconds, order: this.scheduled, process });
  }

  runToEnd(): void {
    for (let due = this.pop(); due; due = this.pop()) {
      this.now = due.at;
      const { done, value } = due.process.next();
      if (!done) this.start(due.process, value);
    }
  }

  private push(due: Due): void {
    const { heap } = this;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(due, heap[parent] as Due)) break;
      heap[at] = heap[parent] as Due;
      at = parent;
    }
    heap[at] = due;
  }

  private pop(): Due | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Due, heap[child] as Due)) child += 1;
      if (!isBefore(heap[child] as Due, last)) break;
      heap[at] = heap[child] as Due;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** DynamoDB charges twice for a write in a transaction. */
const IN_TRANSACTION = 2;

/** The write units per table for one clean lead of ordinary size, sent with a key. */
export interface SubmissionCost {
  readonly workspaces: number;
  readonly idempotency: number;
  readonly leadStored: number;
  readonly leadEnriched: number;
  readonly leadsByForm: number;
  readonly leadIndex: number;
  readonly stats: number;
}

export function submissionCost(): SubmissionCost {
  const lead = writeUnits(itemBytes(toLeadItem(ORDINARY_LEAD)));
  const indexed = { lead: ORDINARY_LEAD, enrichmentFailed: false, test: false };
  return {
    workspaces: 1,
    idempotency: IN_TRANSACTION,
    leadStored: IN_TRANSACTION * lead,
    leadEnriched: 1,
    leadsByForm: 1,
    // Every entry fits 1 KB.
    leadIndex: 1 + toEntries(indexed, contactOfLead(BODY)).people.length,
    // A counter, if each lead of a batch belongs to another workspace.
    stats: 1,
  };
}

const BODY = {
  name: 'Grace Okafor',
  email: 'grace.okafor@harbourlight.example',
  phone: '+44 20 7946 0958',
  company: 'Harbour Light Ltd',
  message: 'Please send a quote for 40 desks, delivered to Bristol in the second week of May. '.repeat(2),
};

const ORDINARY_LEAD = {
  leadId: '01997c2e-8f00-7000-8000-000000000000',
  workspaceId: 'ws_0123456789abcdefghijkl',
  formId: 'form_0123456789abcdefghijkl',
  surface: '1b',
  receivedAt: '2026-07-01T12:00:00.000Z',
  body: JSON.stringify(BODY),
  ...scoreLead(BODY),
} as const;

export interface Submission {
  readonly workspace: number;
  readonly surface: Surface;
}

/** How a submission ended. To the sender, all but the first look alike. */
export type End = 'accepted' | 'limited' | 'gateway' | 'lambda' | 'gate' | 'lead';

interface Simulation {
  readonly timeline: Timeline;
  readonly random: () => number;
  readonly environments: Environments;
  readonly capacity: Capacity;
  readonly timings: Timings;
  /** Counts the rejections that could not be recorded before the deadline. */
  readonly notes: { dropped: number };
}

const MINUTE = 60_000;
const retryCeiling = (attempt: number) => Math.min(400, 10 * 2 ** attempt);

/** One submission with a key, from the gateway to the response. */
export function simulateSubmissions(simulation: Simulation) {
  const { timeline, random, environments, capacity, timings, notes } = simulation;
  const { leadStored } = submissionCost();
  const admitted = new Map<string, number>();

  /** Like lambdas/submission/gate-store.ts: retries a throttled write until the deadline, and remembers a denial. */
  function* passGate(
    { workspace, surface }: Submission,
    environment: Environment,
    deadline: number,
  ): Process<End> {
    const counter = `${workspace}/${surface}/${Math.floor(timeline.now / MINUTE)}`;
    if (environment.denials.has(counter)) return 'limited';
    for (let attempt = 1; ; attempt += 1) {
      yield timings.call;
      if (capacity.gateOf(workspace)(timeline.now)) break;
      const pause = pauseAfterThrottle(attempt);
      if (timeline.now + pause > deadline) return 'gate';
      yield pause;
    }
    const count = admitted.get(counter) ?? 0;
    if (count < LIMITS.submissionsPerMinute) {
      admitted.set(counter, count + 1);
      return 'accepted';
    }
    environment.denials.add(counter);
    return 'limited';
  }

  /** The SDK waits between its attempts. After its last one, lambdas/aws/dynamodb.ts does. */
  function pauseAfterThrottle(attempt: number): number {
    const ofSdk = attempt % STACK.attemptsAtDynamoDb;
    const ceiling =
      ofSdk === 0
        ? retryCeiling(attempt / STACK.attemptsAtDynamoDb)
        : STACK.pauseAfterThrottleMilliseconds * 2 ** (ofSdk - 1);
    return random() * ceiling;
  }

  /** Like lambdas/submission/leads-store.ts: retries a throttled transaction until the deadline. */
  function* storeLead({ workspace }: Submission, deadline: number): Process<End> {
    for (let attempt = 1; ; attempt += 1) {
      yield timings.transaction;
      const { now } = timeline;
      if (capacity.leads(now, leadStored) && capacity.formIndexOf(workspace)(now)) return 'accepted';
      const pause = timings.call + 1 + random() * retryCeiling(attempt);
      if (now + pause > deadline) return 'lead';
      yield pause;
    }
  }

  /** Like lambdas/rejections/rejections-store.ts: one write, retried until the deadline. */
  function* recordRejection(deadline: number): Process<void> {
    for (let attempt = 1; ; attempt += 1) {
      yield timings.call;
      if (capacity.rejections(timeline.now)) return;
      const pause = pauseAfterThrottle(attempt);
      if (timeline.now + pause > deadline) break;
      yield pause;
    }
    notes.dropped += 1;
  }

  function* handle(submission: Submission, environment: Environment): Process<End> {
    // A cold environment starts, then reads the configuration with three calls in sequence.
    if (!environment.warm) yield timings.coldStart;
    const deadline = timeline.now + STACK.deadlineMilliseconds;
    if (!environment.warm) yield 3 * timings.call;
    environment.warm = true;
    yield timings.cpu + timings.call;
    const atGate = yield* passGate(submission, environment, deadline);
    const end = atGate === 'accepted' ? yield* storeLead(submission, deadline) : atGate;
    if (end !== 'accepted') yield* recordRejection(deadline);
    return end;
  }

  return function* submit(submission: Submission): Process<End> {
    if (!capacity.gatewayOf(submission.surface)(timeline.now)) return 'gateway';
    const environment = environments.take(submission.surface, timeline.now);
    if (!environment) return 'lambda';
    const end = yield* handle(submission, environment);
    environments.giveBack(submission.surface, environment);
    return end;
  };
}
