import type { ListedForm, Token } from '../../api/types.ts';

/** The address for tokens: that of a form's webhooks without the form. An archived form tells it too. */
export function tokenUrl(webhookUrl: string): string {
  return webhookUrl.slice(0, webhookUrl.lastIndexOf('/'));
}

/** Stands where a token belongs. */
export const PLACEHOLDER = 'YOUR_TOKEN';

/** Sends one lead, for a shell. */
export function curlLine(url: string, token: string): string {
  const body = JSON.stringify({ name: 'Ada Byron', email: 'ada.byron@example.com' });
  return [
    `curl -i ${quoted(url)}`,
    `  -H ${quoted(`Authorization: Bearer ${token}`)}`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(body)}`,
  ].join(' \\\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

type TokenState = 'works' | 'revoked' | 'wrong type' | 'form archived' | 'form off';

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
