import { defineConfig } from 'vite';
import { emitApiPages } from './api-pages/emit-api-pages.ts';

/** One build for every stage: what differs comes from /config.json when the page loads. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [emitApiPages()],
  build: {
    target: 'es2023',
    // Files of their own, never data: addresses: the content security policy stays short.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rolldownOptions: {
      onLog(level, log, report) {
        // Cloudscape marks its files for servers that render React; this is the browser.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
