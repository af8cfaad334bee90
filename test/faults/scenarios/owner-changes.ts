import type { Surface } from '#model/limits.ts';
import { GRACE_MS } from '../invariants/owner-changes-hold.ts';
import type { ChangeKind } from '../service/background.ts';
import type { Sender } from '../service/sender.ts';
import type { World } from '../service/world.ts';
import { CLEAN, type Scenario } from './scenario.ts';

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

const CHANGES: readonly { kind: ChangeKind; surfaces: readonly Surface[]; make: Change }[] = [
  {
    kind: 'suspend',
    surfaces: ['1a', '1b'],
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
    surfaces: ['1a', '1b'],
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
