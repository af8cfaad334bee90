import { marshall } from '@aws-sdk/util-dynamodb';
import { hashIdempotencyKey } from '#submission/idempotency-key.ts';
import { rateWindowsAt, type Surface } from '#submission/limits.ts';
import type { Item } from '../double/attribute-value.ts';
import type { Weather } from '../machine/outcome.ts';
import type { SeededRandom } from '../machine/scheduler.ts';
import type { World } from '../service/world.ts';

/** A situation: what is there at the beginning, and who does what. The seed decides the rest. */
export interface Scenario {
  readonly name: ScenarioName;
  /** Where the scenario is about one; else the seed picks it. */
  readonly weather?: Weather;
  startAt?(random: SeededRandom): number;
  stage(world: World): void;
}

/** In the middle of a minute and of a day, where no window ends soon. */
export const USUAL_START = Date.parse('2026-11-15T12:00:10.250Z');

/** Each beside all others. */
export function sendAll(world: World, sends: readonly (() => Promise<unknown>)[]): void {
  for (const send of sends) world.program(async () => void (await send()));
}

/** Apart from the scenarios themselves, which may only be loaded in a thread of their own, with its own time. */
export const SCENARIO_NAMES = [
  ...[
    'duplicates',
    'retries',
    'minute-limit',
    'day-limit',
    'rollover',
    'below-the-limit',
    'hot-gate',
    'one-surface-full',
  ],
  ...['expired-record', 'key-after-a-day', 'owner-stops', 'owner-revokes', 'owner-rotates', 'after-the-202'],
  'recorder',
] as const;

export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** `$REF` becomes the name of the submission, so that a stored lead tells which one made it. */
export const CLEAN =
  '{ "ref":"$REF","name":"Ada Byron", "email":"ada@analytical-engines.co.uk","company":"Analytical Engines","budget":1.10000000000000000001 }';

const NOT_CLEAN = '{"ref":"$REF","email":"asdf@mailinator.com","name":"asdf asdf","message":"test"}';

/** Long enough that it is stored compressed. */
const LONG = CLEAN.replace(
  ' }',
  `,"message":"${'We would like to hear more about the engine. '.repeat(40)}" }`,
);

export function anyBody(random: SeededRandom): string {
  return random.pick([CLEAN, CLEAN, CLEAN, NOT_CLEAN, LONG]);
}

/** Sets counters as if so many submissions had been counted already. */
export function pretendCounted(
  { double, countedBefore, sender: { workspaceId } }: World,
  surface: Surface,
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

/** Puts a record under a key as an earlier submission has left it. */
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
