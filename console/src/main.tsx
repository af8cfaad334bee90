import './start.css';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { CONSOLE_HEADER } from '#contract';
import { type Client, makeClient } from './api/client.ts';
import { loadAhead, readAhead } from './page-code.ts';
import { type Config, loadConfig } from './session/cognito.ts';
import { type AskRoute, openSession, type Session, type Tabs } from './session/session.ts';
import { isUtcChosen } from './shared/moment.tsx';
import { applyTheme, rememberedTheme } from './shell/theme.ts';

// Loaded when needed: signing in needs a tenth of the app, and the app usually no sign-in.
const loadApp = () => import('./app.tsx');
const App = lazy(loadApp);
const SignIn = lazy(() => import('./session/sign-in.tsx'));

interface RootProps {
  readonly session: Session;
  readonly config: Config;
}

/** Sign-in or the app. The URL stays unchanged during sign-in, so deep links work. */
function Root({ session, config }: RootProps) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  if (state.step === 'unreachable') return <Unreachable onRetry={() => void session.resume()} />;
  return (
    <Suspense fallback={<Starting />}>
      {state.step === 'starting' && <Starting />}
      {state.step === 'signed-out' && <SignIn session={session} config={config} why={state.why} />}
      {/* Another user gets a new app, so nothing of the last one stays. */}
      {'user' in state && (
        <App
          key={state.user.id}
          session={session}
          client={clientOf(session, state.user.id)}
          config={config}
          user={state.user}
          expired={state.step === 'expired'}
        />
      )}
    </Suspense>
  );
}

let current: { readonly userId: string; readonly client: Client } | undefined;

/** One for each user, also before the app has loaded. */
function clientOf(session: Session, userId: string): Client {
  if (current?.userId !== userId) current = { userId, client: makeClient({ session, userId }) };
  return current.client;
}

/** The same as in index.html, which is shown before any script has loaded. */
function Starting() {
  return (
    <main className="start">
      <h1>Lead ingest</h1>
      <p>Loading the console…</p>
    </main>
  );
}

function Unreachable({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <main className="start">
      <h1>Can’t reach the service</h1>
      <p>Check your connection and try again.</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </main>
  );
}

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
function openBrowserSession(): Session {
  return openSession({ ask, tabs: openTabs(), now: Date.now });
}

applyTheme(rememberedTheme());

const root = createRoot(document.getElementById('root') as HTMLElement);
const session = openBrowserSession();

const SIGNED_IN_KEY = 'lead-ingest.signed-in';

// Who was signed in probably still is: then the code loads while the session is asked for.
if (localStorage.getItem(SIGNED_IN_KEY) !== null) {
  void loadApp().catch(() => undefined);
  loadAhead(location.pathname);
}
let isRead = false;
session.subscribe(() => {
  const state = session.state();
  if (state.step === 'signed-out') localStorage.removeItem(SIGNED_IN_KEY);
  if (state.step !== 'signed-in' || isRead) return;
  isRead = true;
  localStorage.setItem(SIGNED_IN_KEY, '1');
  const clock = { now: Date.now(), inUtc: isUtcChosen() };
  readAhead(clientOf(session, state.user.id), location, clock);
});

// Both at once: what is loaded next depends on both.
Promise.all([loadConfig(), session.resume()]).then(
  ([config]) => root.render(<Root session={session} config={config} />),
  (error: unknown) =>
    root.render(
      <main className="start">
        <h1>The console couldn’t start</h1>
        <p>The configuration couldn’t be loaded: {String(error)} Try reloading the page.</p>
      </main>,
    ),
);
