import './start.css';
import { createRoot } from 'react-dom/client';
import { Root } from './root.tsx';
import { loadConfig } from './session/config.ts';
import { openBrowserSession } from './session/session-route.ts';
import { applyTheme, rememberedTheme } from './shell/theme.ts';

applyTheme(rememberedTheme());

const root = createRoot(document.getElementById('root') as HTMLElement);
const session = openBrowserSession();

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
