import type { ListedForm, Token } from '../../api/types.ts';

export type TokenState = 'works' | 'revoked' | 'wrong type' | 'form archived' | 'form off';

/** Whether leads can be sent with a token, or what stands against it. */
export function tokenState(token: Token, forms: ReadonlyMap<string, ListedForm>): TokenState {
  if (token.revokedAt !== undefined) return 'revoked';
  if (token.type !== 'server') return 'wrong type';
  const form = forms.get(token.formId);
  if (!form || form.archivedAt !== undefined) return 'form archived';
  return form.active ? 'works' : 'form off';
}

const RECENT_MS = 24 * 60 * 60 * 1000;

/** Revoking a token that somebody uses loses leads. */
export function isRecentlyUsed({ lastUsedAt }: Pick<Token, 'lastUsedAt'>, now: number): boolean {
  return lastUsedAt !== undefined && now - Date.parse(lastUsedAt) < RECENT_MS;
}
