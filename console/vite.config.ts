import { defineConfig } from 'vite';
import { emitApiPages } from './api-pages/emit-api-pages.ts';
import { leaveOutFonts, leaveOutIcons, leaveOutMessages } from './build-plugins.ts';

/** One build for every stage: /config.json holds the differences. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [emitApiPages(), leaveOutIcons(), leaveOutMessages(), leaveOutFonts()],
  resolve: {
    alias: {
      // Cloudscape's messages are already parsed, so drop the 32 KB parser. The ESM build, since CommonJS
      // would include all of tslib.
      '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/lib/no-parser.js',
    },
  },
  build: {
    target: 'es2023',
    // Separate files instead of data: URLs keep the content security policy short.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rolldownOptions: {
      // Removes code that depends on constants across files.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // Pages share many small modules: a file for each combination would be dozens of requests. First what the
        // entry needs, then what sign-in needs, then what many pages need.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 3 },
            {
              name: 'base',
              priority: 2,
              test: /console[\\/]src[\\/](session[\\/]sign-in-screens|shared[\\/]translations)\.tsx$|components[\\/](alert|box|button|space-between)[\\/]index\.js$/,
            },
            { name: 'often', minShareCount: 4, priority: 1 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 8_000 },
          ],
        },
      },
      onLog(level, log, report) {
        // Cloudscape marks its files for server rendering, which doesn't apply here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
