import type { OpenStack } from '../../bin/leadctl/open-stack.ts';
import { makeOffboarding, REMOVED_KINDS, type Removed } from '../../lambdas/operator/offboarding-store.ts';
import type { Owner } from './owner.ts';
import type { OwnerAccounts } from './owner-accounts.ts';
import type { Sender } from './submission.ts';

/** A workspace that lives as long as the run. */
export interface ThrowAwayWorkspace {
  readonly workspaceId: string;
  readonly owner: Owner;
  /** Without a secret where `secret` is false: then the form rejects every webhook. */
  newSender(options?: { readonly secret?: boolean }): Promise<Sender>;
}

/** One that rows share the form of. */
export interface SharedWorkspace extends ThrowAwayWorkspace {
  readonly sender: Sender;
}

export interface ThrowAways {
  newWorkspace(purpose: string): Promise<ThrowAwayWorkspace>;
  /** Gives the ids of those of which something is left, which are none if all went well. */
  removeAll(): Promise<string[]>;
}

/** Streams may still write after the last submission: what one removal leaves, the next one finds. */
const REMOVALS = 3;

type Stack = Pick<OpenStack, 'administration' | 'client' | 'tables'>;

/** Made by the code that `leadctl` makes workspaces with, and removed as `leadctl workspace offboard` removes them. */
export function makeThrowAways(stack: Stack, accounts: OwnerAccounts): ThrowAways {
  const { administration } = stack;
  const workspaceIds = new Set<string>();

  async function newSender(workspaceId: string, withSecret: boolean): Promise<Sender> {
    const { formId, slug } = await administration.createForm({ workspaceId, name: 'Conformance' });
    const { token, tokenId } = await administration.createToken({ formId });
    const { secret } = withSecret ? await administration.setSecret({ formId }) : { secret: 'whsec_none' };
    return { workspaceId, formId, slug, secret, token, tokenId };
  }

  async function newWorkspace(purpose: string): Promise<ThrowAwayWorkspace> {
    const { workspaceId } = await administration.createWorkspace({ name: `Conformance: ${purpose}` });
    workspaceIds.add(workspaceId);
    const owner = await accounts.signIn(workspaceId);
    return { workspaceId, owner, newSender: ({ secret = true } = {}) => newSender(workspaceId, secret) };
  }

  async function remove(workspaceId: string): Promise<void> {
    // Owners are removed by their addresses: reading the whole pool for each workspace would be slow on a large one.
    const offboarding = makeOffboarding({ ...stack, now: Date.now, owners: undefined });
    const removed = Object.fromEntries(REMOVED_KINDS.map((kind) => [kind, 0])) as Removed;
    const never = new AbortController().signal;
    for (let attempt = 0; attempt < REMOVALS && workspaceIds.has(workspaceId); attempt += 1) {
      const outcome = await offboarding.run(workspaceId, { removed, onStep: () => {} }, never);
      if (outcome === 'gone' || outcome === 'unknown') workspaceIds.delete(workspaceId);
    }
  }

  return {
    newWorkspace,
    async removeAll() {
      const ownersLeft = accounts.removeAll();
      await Promise.allSettled([...workspaceIds].map(remove));
      return [...new Set([...workspaceIds, ...(await ownersLeft)])];
    },
  };
}
