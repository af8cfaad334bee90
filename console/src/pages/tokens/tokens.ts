import type { ListedForm, Token } from '../../api/types.ts';

/** The URL for server tokens: a form's webhook URL without the slug. */
export function tokenUrl(webhookUrl: string): string {
  return webhookUrl.slice(0, webhookUrl.lastIndexOf('/'));
}

export const PLACEHOLDER = 'YOUR_TOKEN';

type TokenState = 'works' | 'revoked' | 'wrong type' | 'form archived' | 'form off';

/** Whether a token works, or why not. */
export function tokenState(token: Token, forms: ReadonlyMap<string, ListedForm>): TokenState {
  if (token.revokedAt !== undefined) return 'revoked';
  if (token.type !== 'server') return 'wrong type';
  const form = forms.get(token.formId);
  if (!form || form.archivedAt !== undefined) return 'form archived';
  return form.active ? 'works' : 'form off';
}

const RECENT_MS = 24 * 60 * 60 * 1000;

export function isRecentlyUsed({ lastUsedAt }: Pick<Token, 'lastUsedAt'>, now: number): boolean {
  return lastUsedAt !== undefined && now - Date.parse(lastUsedAt) < RECENT_MS;
}
