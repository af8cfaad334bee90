import { CONSOLE_HEADER } from '#contract';
import { type AskRoute, openSession, type Session, type Tabs } from './session.ts';

const ask: AskRoute = async (method, body) => {
  const response = await fetch('/session', {
    method,
    headers: { [CONSOLE_HEADER]: '1', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    cache: 'no-store',
  });
  // Read in any case: otherwise the browser keeps the connection open.
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, body: /json/.test(type) ? JSON.parse(text) : undefined };
};

function openTabs(): Tabs {
  const channel = new BroadcastChannel('lead-ingest-session');
  return {
    tell: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }) => listener(data)),
  };
}

/** The session of this browser. */
export function openBrowserSession(): Session {
  return openSession({ ask, tabs: openTabs(), now: Date.now });
}
