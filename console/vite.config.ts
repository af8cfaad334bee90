import { defineConfig } from 'vite';
import { emitApiPages } from './api-pages/emit-api-pages.ts';
import { leaveOutMessages } from './leave-out-messages.ts';

/** One build for every stage: what differs comes from /config.json when the page loads. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [emitApiPages(), leaveOutMessages()],
  resolve: {
    alias: {
      // Cloudscape's messages come parsed: the parser would be 32 KB that nothing calls. As a module, since
      // CommonJS would bring all of tslib.
      '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/lib/no-parser.js',
    },
  },
  build: {
    target: 'es2023',
    // Files of their own, never data: addresses: the content security policy stays short.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rolldownOptions: {
      // Across files: what depends on a constant that never holds goes.
      optimization: { inlineConst: { mode: 'all' } },
      onLog(level, log, report) {
        // Cloudscape marks its files for servers that render React; this is the browser.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
