import { SeededRandom } from '../random.ts';
import type { ExecutedCall } from './double/dynamodb-double.ts';
import { enrichedAndCounted, twoResponsesInTime } from './invariants/enriched-and-counted.ts';
import { limitsHold } from './invariants/limits-hold.ts';
import { personIsGone, workspaceIsGone } from './invariants/nothing-is-left.ts';
import { type Observed, observe } from './invariants/observed.ts';
import { oneKeyOneLead, storedAsSent } from './invariants/one-key-one-lead.ts';
import { ownerChangesHold } from './invariants/owner-changes-hold.ts';
import { rejectionsRecorded } from './invariants/rejections-recorded.ts';
import { FAULT_PROFILES } from './machine/outcome.ts';
import {
  afterThe202,
  deliveries,
  duplicates,
  eraseWhileEnriching,
  expiredRecord,
  keyAfterADay,
  oneNonce,
  retries,
} from './scenarios/duplicates.ts';
import { erasure } from './scenarios/erasure.ts';
import {
  belowTheLimit,
  dayLimit,
  hotGate,
  minuteLimit,
  oneSurfaceFull,
  rollover,
} from './scenarios/limits.ts';
import { offboarding, ownerRevokes, ownerRotates, ownerStops } from './scenarios/owner-changes.ts';
import { recorder } from './scenarios/recorder.ts';
import { type Scenario, USUAL_START } from './scenarios/scenario.ts';
import type { Kit } from './service/sender.ts';
import { World } from './service/world.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...[duplicates, retries, minuteLimit, dayLimit, rollover, belowTheLimit, hotGate],
  ...[oneSurfaceFull, expiredRecord, keyAfterADay, oneNonce, deliveries],
  ...[ownerStops, ownerRevokes, ownerRotates, afterThe202, recorder],
  ...[erasure, eraseWhileEnriching, offboarding],
];

/** The testable guarantees of docs/guarantees.md, by their numbers there. */
const INVARIANTS: readonly (readonly [number: string, check: (observed: Observed) => string[]])[] = [
  ['1', storedAsSent],
  ['1', enrichedAndCounted],
  ['2', oneKeyOneLead],
  ['3', limitsHold],
  ['4', twoResponsesInTime],
  ['7', ownerChangesHold],
  ['diagnostics', rejectionsRecorded],
  ['erasure', personIsGone],
  ['offboarding', workspaceIsGone],
];

/** Where the workspace is removed, leads and counts are gone by design. */
const WHILE_OFFBOARDING: readonly unknown[] = [twoResponsesInTime, ownerChangesHold, workspaceIsGone];

/** Describes each broken guarantee. */
export function violations(world: World): string[] {
  const observed = observe(world);
  return INVARIANTS.filter(([, check]) => !world.offboarding || WHILE_OFFBOARDING.includes(check)).flatMap(
    ([number, check]) => check(observed).map((violation) => `invariant ${number}: ${violation}`),
  );
}

export interface ScheduleResult {
  readonly scenario: string;
  readonly seed: number;
  readonly fingerprint: string;
  readonly violations: readonly string[];
  readonly timeline: readonly string[];
  /** What was in the tables at the beginning, as calls, and all calls since. */
  readonly calls: readonly ExecutedCall[];
}

/** What to keep besides the violations. */
export interface Keep {
  readonly timeline?: boolean;
  readonly calls?: boolean;
}

/** Runs one schedule from its seed, and checks the result. */
export async function runSchedule(
  kit: Kit,
  scenario: Scenario,
  seed: number,
  keep: Keep,
): Promise<ScheduleResult> {
  const random = new SeededRandom(seed);
  const faultProfile = scenario.faultProfile ?? random.pick(FAULT_PROFILES);
  const startAt = scenario.startAt?.(random) ?? USUAL_START;
  const { lateWithinMilliseconds } = scenario;
  const keepTimeline = keep.timeline ?? false;
  const world = new World(kit, { random, faultProfile, startAt, keepTimeline, lateWithinMilliseconds });
  const calls = keep.calls ? beginningOf(kit) : [];
  kit.double.onExecuted = (call) => keep.calls && calls.push(call);
  const found: string[] = [];
  try {
    scenario.stage(world);
    await world.run();
    found.push(...violations(world));
  } catch (error) {
    found.push(`the schedule itself failed: ${(error as Error).stack}`);
  }
  return {
    scenario: scenario.name,
    seed,
    fingerprint: world.timeline.fingerprint(),
    violations: found,
    timeline: [`faults: ${faultProfile.name}`, ...world.timeline.lines()],
    calls,
  };
}

function beginningOf({ beginning }: Kit): ExecutedCall[] {
  const reply = { statusCode: 200, body: {} };
  return [...beginning].flatMap(([TableName, items]) =>
    [...items.values()].map((Item) => ({ operation: 'PutItem', input: { TableName, Item }, reply })),
  );
}
