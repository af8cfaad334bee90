import type { Client } from './api/client.ts';
import { type Clock, firstPageQuery, INBOX_PATH } from './pages/leads/inbox/inbox-filter.ts';

/** The code of each page, loaded when it is opened. */
export const CODE = {
  overview: () => import('./pages/overview/overview-page.tsx'),
  inbox: () => import('./pages/leads/inbox-page.tsx'),
  lead: () => import('./pages/leads/lead-page.tsx'),
  senders: () => import('./pages/senders/senders-page.tsx'),
  forms: () => import('./pages/forms/forms-page.tsx'),
  form: () => import('./pages/forms/form-page.tsx'),
  delivery: () => import('./pages/delivery/delivery-page.tsx'),
  sendTest: () => import('./pages/send-test/send-test-page.tsx'),
  tokens: () => import('./pages/tokens/tokens-page.tsx'),
  diagnostics: () => import('./pages/diagnostics/diagnostics-page.tsx'),
  destinations: () => import('./pages/destinations/destinations-page.tsx'),
  alerts: () => import('./pages/alerts/alerts-page.tsx'),
  team: () => import('./pages/team/team-page.tsx'),
  apiKeys: () => import('./pages/api-keys/api-keys-page.tsx'),
  activity: () => import('./pages/activity/activity-page.tsx'),
  security: () => import('./pages/security/security-page.tsx'),
};

type PageName = keyof typeof CODE;

/** Of pages that are not listed, the code is loaded with the page. */
const BY_PATH: readonly (readonly [RegExp, PageName])[] = [
  [/^\/$/, 'overview'],
  [/^\/leads$|^\/forms\/[^/]+\/leads$/, 'inbox'],
  [/^\/forms\/[^/]+\/leads\/[^/]+$/, 'lead'],
  [/^\/forms\/[^/]+\/delivery$/, 'delivery'],
  [/^\/forms$/, 'forms'],
  [/^\/diagnostics$/, 'diagnostics'],
  [/^\/destinations/, 'destinations'],
];

/** Loads the code of a page before anything asks for it. */
export function loadAhead(path: string): void {
  const name = nameOf(path);
  // If it fails, the page loads it again, and shows the error.
  if (name !== undefined) void CODE[name]().catch(() => undefined);
}

function nameOf(path: string): PageName | undefined {
  return BY_PATH.find(([pattern]) => pattern.test(path))?.[1];
}

interface Address {
  readonly pathname: string;
  readonly search: string;
}

/** Asks for what the inbox shows first, while its code loads. */
export function readAhead(client: Pick<Client, 'ahead'>, { pathname, search }: Address, clock: Clock): void {
  if (pathname !== '/leads') return;
  client.ahead(INBOX_PATH, firstPageQuery(new URLSearchParams(search), clock));
  client.ahead('/settings/workspace');
  client.ahead('/settings/forms');
}
