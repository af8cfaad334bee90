import type { AnySurface } from '#model/limits.ts';
import { makeOffboarding, REMOVED_KINDS, type Removed } from '#operator/offboarding-store.ts';
import { GRACE_MS } from '../invariants/owner-changes-hold.ts';
import { insistOn, POLL_MS, startBackground } from '../service/background.ts';
import { TABLES } from '../service/functions.ts';
import { RECORDERS, startRecorders } from '../service/recorders.ts';
import type { ChangeKind, ChangeRecord, Sender, Submit } from '../service/sender.ts';
import type { World } from '../service/world.ts';
import { ADA, anyEraser, eraseLead, LATE_MS, putLead, reindex, reviewOne } from './erasure.ts';
import { anyBody, CLEAN, type Scenario } from './scenario.ts';

const KEY = 'order-1';

/** Makes the change, and returns the sender with the new credentials, if any. */
type Change = (world: World) => Promise<Sender | undefined>;

const rotating =
  (kind: ChangeKind, graceMilliseconds: number): Change =>
  async (world) => {
    const { formId } = world.sender;
    const rotated = await world.change(kind, (actions) =>
      actions.rotateSecret({ formId, graceMilliseconds }),
    );
    return rotated && { ...world.sender, secret: rotated.secret };
  };

const CHANGES: readonly { kind: ChangeKind; surfaces: readonly AnySurface[]; make: Change }[] = [
  {
    kind: 'suspend',
    surfaces: ['1a', '1b', '1c'],
    make: async (world) => {
      await world.change('suspend', (actions) => actions.suspendWorkspace(world.sender.workspaceId));
      return undefined;
    },
  },
  {
    kind: 'revoke',
    surfaces: ['1a'],
    make: async (world) => {
      await world.change('revoke', (actions) => actions.revokeToken(world.sender.tokenId));
      return undefined;
    },
  },
  {
    kind: 'deactivate',
    surfaces: ['1a', '1b', '1c'],
    make: async (world) => {
      await world.change('deactivate', (actions) =>
        actions.updateForm(world.sender.formId, { active: false }),
      );
      return undefined;
    },
  },
  { kind: 'rotate', surfaces: ['1b'], make: rotating('rotate', 0) },
  { kind: 'rotate with grace', surfaces: ['1b'], make: rotating('rotate with grace', GRACE_MS) },
];

/**
 * Senders before, during and after a change: in environments that were warm before it, that read the configuration
 * during it, or that are new; with the key of an accepted lead, or without.
 */
function changeAmongSenders(kinds: readonly ChangeKind[]): Scenario['stage'] {
  return (world) => {
    const { random } = world;
    const { kind, surfaces, make } = random.pick(CHANGES.filter((each) => kinds.includes(each.kind)));
    const surface = random.pick(surfaces);
    const submit = (client: string, environment: string, key?: string, sender?: Sender) =>
      world.submit(client, { surface, body: CLEAN, key, environment, ...(sender && { sender }) });
    const keyOrNone = () => (random.chance(0.5) ? KEY : undefined);

    world.program(async () => {
      if (random.chance(0.7)) await submit('early', 'warm', KEY);
      const meanwhile = random.chance(0.7) ? [submit('racing', 'racing', keyOrNone())] : [];
      if (random.chance(0.4)) meanwhile.push(submit('beside', 'warm', keyOrNone()));
      const successor = await make(world);
      const after = [submit('after', 'warm', keyOrNone())];
      if (random.chance(0.4)) after.push(submit('new-environment', 'cold', keyOrNone()));
      if (successor) after.push(submit('successor', random.pick(['warm', 'cold']), undefined, successor));
      await Promise.all(after);
      await Promise.all(meanwhile);
      await submit('later', 'racing', keyOrNone());
      if (kind === 'rotate with grace' && random.chance(0.5)) await afterTheGrace(successor);
      if (kind === 'suspend' && random.chance(0.5)) await afterResuming();
      if (kind === 'deactivate' && random.chance(0.5)) await afterActivating();
    });

    async function afterTheGrace(successor: Sender | undefined): Promise<void> {
      await world.time.sleep(GRACE_MS + random.below(2) * 10_000);
      await submit('old', random.pick(['warm', 'cold']));
      if (successor) await submit('new', random.pick(['warm', 'cold']), undefined, successor);
    }

    async function afterResuming(): Promise<void> {
      await world.change('resume', (actions) => actions.resumeWorkspace(world.sender.workspaceId));
      await submit('again', random.pick(['warm', 'racing', 'cold']), keyOrNone());
    }

    async function afterActivating(): Promise<void> {
      await world.change('activate', (actions) => actions.updateForm(world.sender.formId, { active: true }));
      await submit('again', random.pick(['warm', 'racing', 'cold']), keyOrNone());
    }
  };
}

export const ownerStops: Scenario = {
  name: 'owner-stops',
  stage: changeAmongSenders(['suspend', 'deactivate']),
};

export const ownerRevokes: Scenario = { name: 'owner-revokes', stage: changeAmongSenders(['revoke']) };

export const ownerRotates: Scenario = {
  name: 'owner-rotates',
  stage: changeAmongSenders(['rotate', 'rotate with grace']),
};

/** Everything that follows a stream or works on a queue. */
const FOLLOWERS = ['relay', 'stats', ...Object.values(RECORDERS), 'enrich', 'enrich-2', 'index', 'index-2'];
/** Before the command, during its waits, and after its end. */
const MOMENTS_MS = [0, 0, 1_000, 5_000, 12_000, 60_000, 100_000];

/**
 * An operator offboards the workspace while leads and rejections arrive, are enriched, counted, indexed, reviewed and
 * erased. Streams and queues may deliver long after the end.
 */
export const offboarding: Scenario = {
  name: 'offboarding',
  lateWithinMilliseconds: LATE_MS,
  stage(world) {
    const { random, time } = world;
    world.offboarding = 'begun';
    let busy = 0;
    const start = (work: () => Promise<unknown>) => {
      busy += 1;
      world.program(async () => {
        await work();
        busy -= 1;
      });
    };
    for (const client of ['ada', 'bea', 'cid', 'dan', 'eve']) {
      start(async () => {
        await time.sleep(random.pick(MOMENTS_MS));
        await world.submit(client, random.pick(SUBMISSIONS)(world));
      });
    }
    const [leadId] = [putLead(world, ADA), putLead(world, ADA)];
    if (random.chance(0.4)) start(() => reviewOne(world));
    if (random.chance(0.4)) start(() => reindex(world));
    if (random.chance(0.6)) {
      start(async () => {
        await time.sleep(POLL_MS * random.below(5));
        await eraseLead(world, leadId, anyEraser(world));
      });
    }
    for (const name of FOLLOWERS) {
      if (random.chance(0.4)) start(() => holdUp(world, name));
    }
    start(async () => {
      await time.sleep(POLL_MS * random.below(5));
      await offboard(world);
    });
    startBackground(world, () => busy === 0, { indexes: true });
    startRecorders(world, () => busy === 0);
  },
};

const SUBMISSIONS: readonly ((world: World) => Submit)[] = [
  () => ({ surface: '1a', body: CLEAN }),
  ({ random }) => ({ surface: '1a', body: anyBody(random) }),
  ({ random }) => ({ surface: '1b', body: anyBody(random), key: 'order-1' }),
  ({ random }) => ({ surface: random.pick(['1a', '1b'] as const), body: '["$REF"', flawed: true }),
  ({ sender }) => ({
    surface: '1b',
    body: CLEAN,
    sender: { ...sender, secret: 'whsec_wrong' },
    flawed: true,
  }),
];

/** A stream or queue lags for a while, or until long after the workspace is gone. */
async function holdUp(world: World, name: string): Promise<void> {
  const { random, time } = world;
  world.held.add(name);
  await time.sleep(random.pick(MOMENTS_MS));
  if (random.chance(0.5)) {
    while (world.offboarding !== 'gone') await time.sleep(POLL_MS * 10);
    await time.sleep(random.pick(MOMENTS_MS));
  }
  world.held.delete(name);
}

const MAX_RUNS = 8;

/** `leadctl workspace offboard`, again until the workspace is gone. */
async function offboard(world: World): Promise<void> {
  const { workspaceId } = world.sender;
  const suspension: ChangeRecord = { kind: 'suspend', started: world.now(), tries: 1 };
  world.changes.push(suspension);
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    const outcome = await insistOn(
      world,
      'leadctl',
      ({ clients: { client }, now }) => makeOffboarding({ client, tables: TABLES, now, owners: undefined }),
      (made) => {
        const removed = Object.fromEntries(REMOVED_KINDS.map((kind) => [kind, 0])) as Removed;
        return made.run(workspaceId, { removed, onStep: () => undefined }, new AbortController().signal);
      },
    );
    world.note('leadctl', 'offboarding', outcome);
    // `unknown`: a run that died at the very end had removed it.
    if (outcome === 'gone' || outcome === 'unknown') {
      suspension.responded = world.now();
      world.offboarding = 'gone';
      return;
    }
  }
  throw new Error('The workspace was never gone');
}
