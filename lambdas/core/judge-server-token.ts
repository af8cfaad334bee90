import type { Form, IngestToken, Workspace } from './configuration.ts';
import { UNATTRIBUTED } from './rejection.ts';
import { refuse, type Verdict } from './verdict.ts';

/** All that the tables say about a presented token. */
export interface TokenConfiguration {
  readonly token?: IngestToken | undefined;
  readonly workspace?: Workspace | undefined;
  readonly form?: Form | undefined;
}

export function judgeServerToken({ token, workspace, form }: TokenConfiguration): Verdict {
  if (!token) return refuse('token_invalid', UNATTRIBUTED);
  const owner = { workspaceIds: [token.workspaceId], formId: token.formId };
  if (token.type !== 'server') return refuse('token_wrong_type', owner, { type: token.type });
  if (token.revokedAt !== undefined) return refuse('token_revoked', owner);
  // A token outlives its workspace only for as long as an offboarding takes.
  if (!workspace) return refuse('token_invalid', owner);
  if (workspace.status !== 'active') return refuse('workspace_suspended', owner);
  if (!form) return refuse('form_not_found', owner);
  if (!form.active) return refuse('form_inactive', owner);
  return {
    credential: {
      workspaceId: workspace.workspaceId,
      configVersion: workspace.configVersion,
      form,
      provedBy: `token#${token.tokenId}`,
    },
  };
}
