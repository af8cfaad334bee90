import '@cloudscape-design/global-styles/index.css';
import './shell/page.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadConfig, openSession } from './session/session.ts';
import { applyTheme, rememberedTheme } from './shell/top-bar.tsx';

applyTheme(rememberedTheme());

const root = createRoot(document.getElementById('root') as HTMLElement);
loadConfig().then(
  (config) => root.render(<App session={openSession(config)} stage={config.stage} />),
  (error: unknown) =>
    root.render(
      <main className="cannot-start">
        <h1>The console couldn’t start</h1>
        <p>The configuration couldn’t be loaded: {String(error)} Try reloading the page.</p>
      </main>,
    ),
);
