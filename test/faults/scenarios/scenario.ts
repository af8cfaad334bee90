import { marshall } from '@aws-sdk/util-dynamodb';
import { type AnySurface, rateWindowsAt } from '#model/limits.ts';
import { hashIdempotencyKey } from '#submission/idempotency-key.ts';
import type { SeededRandom } from '../../random.ts';
import type { Item } from '../double/wire-format.ts';
import type { FaultProfile } from '../machine/outcome.ts';
import type { World } from '../service/world.ts';

/** The initial data, and who does what. The seed decides the rest. */
export interface Scenario {
  readonly name: ScenarioName;
  /** Only if the scenario needs a certain profile; otherwise the seed picks one. */
  readonly faultProfile?: FaultProfile;
  /** Only if the guarantee supposes that requests arrive soon or never. */
  readonly lateWithinMilliseconds?: number;
  startAt?(random: SeededRandom): number;
  stage(world: World): void;
}

/** In the middle of a minute and of a day, so that no window ends soon. */
export const USUAL_START = Date.parse('2026-11-15T12:00:10.250Z');

/** Starts all of them concurrently. */
export function sendAll(world: World, sends: readonly (() => Promise<unknown>)[]): void {
  for (const send of sends) world.program(async () => void (await send()));
}

/** Names are separate from the scenarios, which may only be imported in a worker thread with virtual time. */
export const SHORT_SCENARIOS = [
  ...['duplicates', 'retries', 'minute-limit', 'day-limit', 'rollover', 'below-the-limit', 'hot-gate'],
  ...['one-surface-full', 'expired-record', 'key-after-a-day', 'one-nonce', 'deliveries'],
  ...['owner-stops', 'owner-revokes', 'owner-rotates'],
] as const;

/** A schedule of these takes five times as long, because of the background work. */
export const LONG_SCENARIOS = [
  ...['after-the-202', 'recorder', 'erasure', 'erase-while-enriching', 'offboarding'],
] as const;

export const SCENARIO_NAMES = [...SHORT_SCENARIOS, ...LONG_SCENARIOS];

type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** `$REF` becomes the name of the submission, so that a stored lead shows which one made it. */
export const CLEAN =
  '{ "ref":"$REF","name":"Ada Byron", "email":"ada@analytical-engines.co.uk","company":"Analytical Engines","budget":1.10000000000000000001 }';

const NOT_CLEAN = '{"ref":"$REF","email":"asdf@mailinator.com","name":"asdf asdf","message":"test"}';

/** Long enough to be stored compressed. */
const LONG = CLEAN.replace(
  ' }',
  `,"message":"${'We would like to hear more about the engine. '.repeat(40)}" }`,
);

export function anyBody(random: SeededRandom): string {
  return random.pick([CLEAN, CLEAN, CLEAN, NOT_CLEAN, LONG]);
}

/** Sets counters as if this many submissions had been counted. */
export function presetCounters(
  { double, countedBefore, sender: { workspaceId } }: World,
  surface: AnySurface,
  at: number,
  counted: { readonly minute?: number; readonly day?: number },
): void {
  const { minuteCounter, dayCounter } = rateWindowsAt(surface, at);
  const entries = [
    [minuteCounter, counted.minute],
    [dayCounter, counted.day],
  ] as const;
  for (const [name, count] of entries) {
    if (count === undefined) continue;
    countedBefore.set(name, count);
    double.execute('UpdateItem', {
      TableName: 'workspaces',
      Key: { workspaceId: { S: workspaceId } },
      UpdateExpression: 'SET #counter = :count',
      ExpressionAttributeNames: { '#counter': name },
      ExpressionAttributeValues: { ':count': { N: String(count) } },
    });
  }
}

/** Stores an idempotency record as an earlier submission would. */
export function putKeyRecord(
  { double, sender: { workspaceId } }: World,
  key: string,
  record: Record<string, unknown>,
): string {
  const keyHash = hashIdempotencyKey(workspaceId, key);
  double.execute('PutItem', {
    TableName: 'idempotency',
    Item: marshall({ keyHash, v: 1, ...record }) as unknown as Item,
  });
  return keyHash;
}
