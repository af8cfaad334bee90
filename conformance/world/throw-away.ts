import type { OpenStack } from '../../bin/operator/open-stack.ts';
import { makeOffboarding, REMOVED_KINDS, type Removed } from '../../lambdas/operator/offboarding-store.ts';
import type { Owner, OwnerAccounts } from './owner.ts';
import type { Sender } from './submission.ts';

/** A workspace for this run only. */
export interface ThrowAwayWorkspace {
  readonly workspaceId: string;
  readonly owner: Owner;
  /** With `secret: false` the form has no webhook secret, and rejects every webhook. */
  newSender(options?: { readonly secret?: boolean }): Promise<Sender>;
}

/** With a form that rows share. */
export interface SharedWorkspace extends ThrowAwayWorkspace {
  readonly sender: Sender;
}

export interface ThrowAways {
  newWorkspace(purpose: string): Promise<ThrowAwayWorkspace>;
  /** Returns the ids of workspaces that could not be removed completely. */
  removeAll(): Promise<string[]>;
}

/** Streams may still write after the last submission, so one removal may not be enough. */
const REMOVALS = 3;

type Stack = Pick<OpenStack, 'administration' | 'client' | 'tables'>;

/** Created and removed by the code behind `leadctl workspace create` and `leadctl workspace offboard`. */
export function makeThrowAways(stack: Stack, accounts: OwnerAccounts, prefix = 'Conformance'): ThrowAways {
  const { administration } = stack;
  const workspaceIds = new Set<string>();

  async function newSender(workspaceId: string, withSecret: boolean): Promise<Sender> {
    const { formId, slug } = await administration.createForm({ workspaceId, name: prefix });
    const { token, tokenId } = await administration.createToken({ formId });
    const { secret } = withSecret ? await administration.setSecret({ formId }) : { secret: 'whsec_none' };
    return { workspaceId, formId, slug, secret, token, tokenId };
  }

  async function newWorkspace(purpose: string): Promise<ThrowAwayWorkspace> {
    const { workspaceId } = await administration.createWorkspace({ name: `${prefix}: ${purpose}` });
    workspaceIds.add(workspaceId);
    const owner = await accounts.signIn(workspaceId);
    return { workspaceId, owner, newSender: ({ secret = true } = {}) => newSender(workspaceId, secret) };
  }

  async function remove(workspaceId: string): Promise<void> {
    // Owners are removed by their addresses: reading a large pool once per workspace would be slow.
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
