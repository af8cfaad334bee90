import type { Handled, Opened } from '../../model/handling.ts';
import type { Principal } from '../../owner-api/principal.ts';

/** As leads keep who did something: `member:<id>` or `key:<id>`. */
export function actorOf({ kind, id }: Principal): string {
  return `${kind === 'key' ? 'key' : 'member'}:${id}`;
}

/** Earlier versions did not keep who gave a verdict: it was a member. */
export function whoDid(by: string | undefined, principal: Principal): 'you' | 'member' | 'key' {
  if (by === actorOf(principal)) return 'you';
  return by?.startsWith('key:') ? 'key' : 'member';
}

/** Who and when, as the caller sees it. */
export function deedView({ at, by, note }: Handled, principal: Principal) {
  return { at, by: whoDid(by, principal), ...(note !== undefined && { note }) };
}

/** The same with the id of the member or key. */
export function wholeDeedView(deed: Opened, principal: Principal) {
  return { ...deedView(deed, principal), byId: deed.by.slice(deed.by.indexOf(':') + 1) };
}
