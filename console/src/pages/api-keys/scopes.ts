import type { Scope } from '#owner-api/scopes.ts';

/** What a key may do, in the order in which people usually need it. */
export const SCOPES: readonly { readonly scope: Scope; readonly text: string }[] = [
  { scope: 'leads:read', text: 'Read and export leads' },
  { scope: 'leads:write', text: 'Review and delete leads' },
  { scope: 'destinations:read', text: 'Read destinations and messages' },
  { scope: 'destinations:write', text: 'Create, change and delete destinations' },
  { scope: 'forms:read', text: 'Read forms' },
  { scope: 'forms:write', text: 'Create and change forms and their secrets' },
  { scope: 'tokens:read', text: 'List server tokens' },
  { scope: 'tokens:write', text: 'Create and revoke server tokens' },
  { scope: 'stats:read', text: 'Read counts of leads' },
  { scope: 'diagnostics:read', text: 'Read rejections' },
  { scope: 'alerts:read', text: 'Read alerts' },
  { scope: 'alerts:write', text: 'Change alert settings' },
  { scope: 'workspace:read', text: 'Read the workspace and its limits' },
];

const TEXTS = new Map<string, string>(SCOPES.map(({ scope, text }) => [scope, text]));

export const scopeText = (scope: string) => TEXTS.get(scope) ?? scope;

/** Lists the newest lead. Has the real key only while it is shown. */
export function keyCommand(url: string, apiKey = 'YOUR_API_KEY'): string {
  return `curl '${url}/settings/leads?limit=1' \\\n  -H 'Authorization: Bearer ${apiKey}'`;
}
