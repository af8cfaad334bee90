import type { Step } from './owner-request.ts';
import { Problem } from './problem.ts';

/** The claims that the gateway's authorizer has verified; the second is immutable, and no app client may write it. */
const WORKSPACE_CLAIM = 'custom:workspace_id';

/**
 * Whose request it is. The authorizer checks signature, issuer, audience and expiry, but takes access tokens of the
 * pool as well: those are turned away here.
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
