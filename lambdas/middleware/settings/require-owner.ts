import { WORKSPACE_CLAIM } from '../../contract.ts';
import type { Step } from './owner-request.ts';
import { Problem } from './problem.ts';

/**
 * Whose request it is. The authorizer checks signature, issuer, audience and expiry, but takes access tokens of the
 * pool as well: those are turned away here. The workspace's claim is immutable, and no app client may write it.
 */
export function requireOwner(): Step {
  return {
    before: function requireOwnerBefore({ event }) {
      const claims = event.requestContext.authorizer?.jwt?.claims ?? {};
      if (claims.token_use !== 'id') {
        throw new Problem('unauthorized', { detail: 'Send an ID token: access tokens are not taken.' });
      }
      const workspaceId = claims[WORKSPACE_CLAIM];
      if (typeof workspaceId !== 'string' || workspaceId === '') throw new Problem('forbidden');
      const userId = typeof claims.sub === 'string' ? claims.sub : undefined;
      event.owner = { workspaceId, userId };
    },
  };
}
