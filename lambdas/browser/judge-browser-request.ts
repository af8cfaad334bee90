import { createHash } from 'node:crypto';
import { type Form, isSlug, refuse, type Verdict, type Workspace } from '../model/configuration.ts';
import type { Headers } from '../model/headers.ts';
import type { Learned } from '../model/learned.ts';
import { Rejection, UNATTRIBUTED } from '../model/reasons.ts';
import type { SenderList } from '../model/senders.ts';
import { bearerToken } from '../submission/server-token.ts';
import type { AuthenticatedSubmission } from '../submission/submission.ts';
import { type BrowserToken, checkBrowserToken, readBrowserToken, type SigningKey } from './browser-token.ts';
import { isAllowedOrigin } from './origins.ts';
import { boundOrigin, sentOrigin } from './sent-origin.ts';

/** Everything stored about a slug, and the keys that sign tokens. */
export interface BrowserConfiguration {
  readonly forms: readonly Form[];
  readonly keys: readonly SigningKey[];
  readonly workspace?: Workspace | undefined;
  readonly senders?: SenderList | undefined;
  readonly learned?: Learned | undefined;
}

/** The token as sent. Its signature is not checked yet. */
export function sentToken(headers: Headers): BrowserToken {
  const token = readBrowserToken(bearerToken(headers));
  if (!token) throw new Rejection('token_invalid', { problem: 'not a browser token' });
  if (!isSlug(token.slug)) throw new Rejection('form_not_found', { problem: 'not a slug' });
  return token;
}

const MAX_SHOWN_ORIGIN_LENGTH = 150;

/**
 * The token is checked for every slug, known or not. Of several problems, the owner sees the one to fix first: the form
 * before the origin, and the origin before the token, which is bound to it.
 */
export function judgeBrowserRequest(
  { forms, keys, workspace, senders, learned }: BrowserConfiguration,
  { headers, nowMilliseconds }: { readonly headers: Headers; readonly nowMilliseconds: number },
): Verdict {
  const token = sentToken(headers);
  const sent = sentOrigin(headers);
  const origin = boundOrigin(headers);
  const proof = checkBrowserToken(token, origin, keys, nowMilliseconds);

  if (forms.length > 1) {
    return refuse('slug_ambiguous', { workspaceIds: [...new Set(forms.map((each) => each.workspaceId))] });
  }
  const [form] = forms;
  if (!form) return refuse('form_not_found', UNATTRIBUTED);
  const owner = { workspaceIds: [form.workspaceId], formId: form.formId };
  if (!form.active) return refuse('form_inactive', owner);
  if (!workspace) return refuse('form_not_found', owner);
  if (workspace.status !== 'active') return refuse('workspace_suspended', owner);
  if (!form.browser?.enabled) return refuse('browser_inactive', owner);
  if (sent === 'missing') return refuse('origin_missing', owner);
  if (sent === 'malformed') return refuse('origin_not_allowed', owner, { problem: 'not an origin' });
  if (!isAllowedOrigin(origin, form.browser.origins)) {
    return refuse('origin_not_allowed', owner, { origin: origin.slice(0, MAX_SHOWN_ORIGIN_LENGTH) });
  }
  if (proof === 'invalid') return refuse('token_invalid', owner);
  if (proof === 'expired') return refuse('token_expired', owner);
  return {
    credential: {
      workspaceId: workspace.workspaceId,
      configVersion: workspace.configVersion,
      form,
      senders,
      learned,
      provedBy: `browser#${form.formId}`,
      nonce: token.nonce,
    },
  };
}

/**
 * One nonce makes at most one lead, whichever token came with it. Line feeds keep the parts apart, and this hash apart
 * from those of the keys in headers: no id, nonce or header contains one.
 */
export function nonceHash({ credential }: AuthenticatedSubmission): string {
  const { workspaceId, form, nonce } = credential;
  return createHash('sha256').update(['browser', workspaceId, form.formId, nonce].join('\n')).digest('hex');
}
