import { fileURLToPath } from 'node:url';
import '../../bin/check-installation.js';
import { compileCacheVariables } from '../../local/compile-cache.ts';

// For workers, and for the programs that tests start: without it, each would strip the types of every module again.
Object.assign(process.env, compileCacheVariables());

/**
 * Which tests run when: the end of a file's name says it. `.unit.test.ts` needs no engine, no Java and no template, so
 * that these start at once; `.full.test.ts` searches, starts stacks of its own, builds or opens browsers, which is too
 * slow for every change. A tier includes those before it: `npm run test:unit`, `npm test`, `npm run test:all`.
 */
export const TIERS = ['unit', 'stack', 'full'];

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const shared = {
  rootDir,
  runtime: '<rootDir>/test/jest/node-runtime.js',
  testEnvironment: '<rootDir>/test/jest/node-environment.js',
  testRunner: '<rootDir>/test/jest/circus.js',
  transform: {},
  injectGlobals: false,
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.local'],
};

const onStack = {
  globalSetup: '<rootDir>/test/jest/start-stack.js',
  globalTeardown: '<rootDir>/test/jest/stop-stack.js',
};

/**
 * Milliseconds after which a test or hook counts as hanging. They leave a busy machine several times what the slowest
 * test needs that relies on them; one that needs longer says so itself, as the last argument of `test`.
 */
export const LIMITS = { unit: 30_000, stack: 120_000, full: 240_000 };

const PROJECTS = {
  unit: { testRegex: '\\.unit\\.test\\.ts$', testEnvironmentOptions: { hidesStack: true } },
  stack: { testRegex: '(?<!\\.(unit|full))\\.test\\.ts$', ...onStack },
  full: { testRegex: '\\.full\\.test\\.ts$', ...onStack },
};

/** The Jest configuration of a command that runs all tiers up to this one. */
export function upTo(tier) {
  const names = TIERS.slice(0, TIERS.indexOf(tier) + 1);
  return {
    rootDir,
    projects: names.map((name) => ({
      ...shared,
      ...PROJECTS[name],
      testTimeout: LIMITS[name],
      displayName: name,
    })),
    reporters: ['default', '<rootDir>/test/jest/durations-reporter.js'],
    testSequencer: '<rootDir>/test/jest/tier-sequencer.js',
    // For two processors: tests wait for engines and timers a fifth of their time.
    maxWorkers: 3,
  };
}
