/** What an API key can be allowed to do. */
export const SCOPES = [
  'leads:read',
  'leads:write',
  'forms:read',
  'forms:write',
  'tokens:read',
  'tokens:write',
  'destinations:read',
  'destinations:write',
  'diagnostics:read',
  'alerts:read',
  'alerts:write',
  'stats:read',
  'workspace:read',
] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}
