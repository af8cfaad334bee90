import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll } from '@jest/globals';
import { deployedFiles } from '../../local/console/bucket-files.ts';
import type { Rights } from '../docs/deployment-rights.ts';
import { customResources, readerOf, type Version } from './custom-resources.ts';
import { Handlers } from './handlers.ts';
import { RehearsedStack } from './rehearsed-stack.ts';
import type { StoredObject } from './stand-in/account.ts';
import { StandIn } from './stand-in/server.ts';
import { withEarlierBuckets } from './versions.ts';

type Files = ReadonlyMap<string, StoredObject>;

/** Where scenarios are played, one after the other. */
interface Rehearsal {
  readonly standIn: StandIn;
  readonly handlers: Handlers;
  /** What CloudFormation and the handlers may do at most. */
  readonly rights?: Rights;
}

/** For the tests of a `describe`. */
export function placeForTests(): () => Rehearsal {
  let place: Rehearsal;
  beforeAll(async () => {
    const standIn = await StandIn.start();
    place = { standIn, handlers: new Handlers(standIn) };
  });
  afterAll(async () => {
    await place.handlers.close();
    await place.standIn.close();
  });
  return () => place;
}

/** Runs a scenario in an account of its own, and returns what went wrong. */
async function inNewAccount(
  { standIn, handlers, rights }: Rehearsal,
  play: (stack: RehearsedStack, filesOf: (version: Version) => Files) => Promise<void>,
): Promise<string[]> {
  standIn.openNewAccount();
  const { account } = standIn;
  const stack = new RehearsedStack(account, handlers, rights);
  await play(stack, (version) => account.buckets.get(bucketOf(version))?.objects ?? new Map());
  return [...new Set(stack.problems)];
}

/** Creation, an update, its rollback because of some other resource, deletion. */
export function deployUpdateAndDelete(
  rehearsal: Rehearsal,
  earlier: Version,
  current: Version,
): Promise<string[]> {
  return inNewAccount(rehearsal, async (stack, filesOf) => {
    const compare = (when: string, expected: Files) =>
      stack.problems.push(...differences(when, filesOf(current), expected));
    await stack.deploy(earlier);
    compare('after the creation', deployed(earlier));
    await stack.deploy(current);
    compare('after the update', new Map([...kept(earlier), ...deployed(current)]));
    await stack.rollBackTo(earlier);
    const rolledBack = new Map([...kept(current), ...deployed(earlier)]);
    compare('after its rollback', rolledBack);
    await stack.delete();
    compare('after the deletion', isEmptied(current) ? new Map() : rolledBack);
  });
}

/** Each custom resource in turn cannot be created. */
export async function failingCreations(rehearsal: Rehearsal, current: Version): Promise<string[]> {
  const problems: string[] = [];
  for (const { logicalId } of customResources(current)) {
    problems.push(
      ...(await inNewAccount(rehearsal, async (stack, filesOf) => {
        await stack.deploy(current, { breakAt: logicalId });
        await stack.delete();
        if (isEmptied(current))
          stack.problems.push(...differences('after the rollback', filesOf(current), new Map()));
      })),
    );
  }
  return problems;
}

/** Each custom resource in turn cannot be updated. */
export async function failingUpdates(
  rehearsal: Rehearsal,
  earlier: Version,
  current: Version,
): Promise<string[]> {
  const problems: string[] = [];
  const before = new Map(customResources(earlier).map((it) => [it.logicalId, it.properties]));
  for (const { logicalId, properties } of customResources(current)) {
    if (isDeepStrictEqual(properties, before.get(logicalId))) continue;
    problems.push(
      ...(await inNewAccount(rehearsal, async (stack, filesOf) => {
        await stack.deploy(earlier);
        const files = new Map(filesOf(current));
        await stack.deploy(current, { breakAt: logicalId });
        const added = new Map([...kept(current)].filter(([key]) => filesOf(current).has(key)));
        await stack.rollBackTo(earlier);
        const expected = new Map([...added, ...files]);
        stack.problems.push(...differences('after the rollback', filesOf(current), expected));
      })),
    );
  }
  return problems;
}

/** The buckets are replaced, and with them everything that names them; then again, with a rollback. */
export async function replacedBuckets(rehearsal: Rehearsal, current: Version): Promise<string[]> {
  const earlier = withEarlierBuckets(current);
  const replaced = await inNewAccount(rehearsal, async (stack, filesOf) => {
    await stack.deploy(earlier);
    await stack.deploy(current);
    stack.problems.push(...differences('after the update', filesOf(current), deployed(current)));
    await stack.cleanUp();
    if (isEmptied(current))
      stack.problems.push(...differences('after the cleanup', filesOf(earlier), new Map()));
  });
  const rolledBack = await inNewAccount(rehearsal, async (stack, filesOf) => {
    await stack.deploy(earlier);
    await stack.deploy(current);
    await stack.rollBackTo(earlier);
    stack.problems.push(...differences('after the rollback', filesOf(earlier), deployed(earlier)));
    if (isEmptied(current))
      stack.problems.push(...differences('after the cleanup', filesOf(current), new Map()));
  });
  return [...replaced, ...rolledBack];
}

function deployed(version: Version): Files {
  return deployedFiles(readerOf(version), version);
}

/** What stays after the version that brought it: the files of deployments that do not prune. */
function kept(version: Version): Files {
  return new Map([...deployed(version)].filter(([key]) => key.startsWith('assets/')));
}

function bucketOf(version: Version): string {
  const [bucket, second] = readerOf(version).resources('AWS::S3::Bucket');
  if (bucket === undefined || second !== undefined) throw new Error('the stack must have one bucket');
  return readerOf(version).name(bucket.logicalId);
}

function isEmptied(version: Version): boolean {
  return customResources(version).some(({ type }) => type === 'Custom::S3AutoDeleteObjects');
}

function differences(when: string, actual: Files, expected: Files): string[] {
  const keys = [...new Set([...actual.keys(), ...expected.keys()])];
  return keys.flatMap((key) => {
    const [is, should] = [actual.get(key), expected.get(key)];
    if (is === undefined) return [`${when} ${key} is missing`];
    if (should === undefined) return [`${when} ${key} is still there`];
    if (!is.contents.equals(should.contents)) return [`${when} ${key} has other contents`];
    return is.cacheControl === should.cacheControl ? [] : [`${when} ${key} has another cache-control`];
  });
}
