import { type Form, type IngestToken, refuse, type Verdict, type Workspace } from '../model/configuration.ts';
import { type Headers, singleHeader } from '../model/headers.ts';
import { TOKEN_PREFIXES } from '../model/ingest-token.ts';
import type { Learned } from '../model/learned.ts';
import { Rejection, UNATTRIBUTED } from '../model/reasons.ts';
import type { SenderList } from '../model/senders.ts';

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;

export function bearerToken(headers: Headers): string {
  const header = singleHeader(headers, 'authorization');
  if (header === 'repeated')
    throw new Rejection('token_invalid', { problem: 'Authorization sent more than once' });
  const value = header?.value.trim() ?? '';
  if (value === '' || /^Bearer$/i.test(value)) throw new Rejection('token_missing');
  const token = BEARER.exec(value)?.[1];
  if (!token) throw new Rejection('token_invalid', { problem: 'not of the form "Bearer <token>"' });
  return token;
}

/** Everything stored about a token. */
export interface TokenConfiguration {
  readonly token?: IngestToken | undefined;
  readonly workspace?: Workspace | undefined;
  readonly form?: Form | undefined;
  readonly senders?: SenderList | undefined;
  readonly learned?: Learned | undefined;
}

interface SentToken {
  readonly token: string;
  readonly surface: '1a' | '1c';
}

export function judgeServerToken(
  { token, workspace, form, senders, learned }: TokenConfiguration,
  { token: sentToken, surface }: SentToken,
): Verdict {
  if (!token) {
    // Browsers' tokens are signed and not stored.
    const isBrowsers = sentToken.startsWith(TOKEN_PREFIXES.browser);
    return refuse(isBrowsers ? 'token_wrong_type' : 'token_invalid', UNATTRIBUTED);
  }
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
      senders,
      learned,
      provedBy: `token#${token.tokenId}`,
      proof: { surface },
    },
  };
}
