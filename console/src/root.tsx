import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { Config } from './session/config.ts';
import type { Session } from './session/session.ts';

// Loaded when needed: signing in needs a tenth of the app, and the app usually no sign-in.
const App = lazy(() => import('./app.tsx'));
const SignIn = lazy(() => import('./session/sign-in.tsx'));

interface RootProps {
  readonly session: Session;
  readonly config: Config;
}

/** Sign-in or the app. The URL stays unchanged during sign-in, so deep links work. */
export function Root({ session, config }: RootProps) {
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
          config={config}
          user={state.user}
          expired={state.step === 'expired'}
        />
      )}
    </Suspense>
  );
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
