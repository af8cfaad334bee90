import { fileURLToPath } from 'node:url';
import '../../bin/check-installation.js';

/** Which tests run when. A tier includes those before it: `npm run test:unit`, `npm test`, `npm run test:all`. */
export const TIERS = ['unit', 'stack', 'full'];

/** No engine, no Java, no template: these start at once. */
const UNIT = [
  'bench/(summarise-profile|update-page)',
  'bin/',
  'conformance/report',
  'console/(?!snippets)',
  'docs/(api-document|documents|packages|references)',
  'faults/patience',
  'github/',
  'lambdas/(debugger|scoring)/',
  'lambdas/sources/(?!deliver|token-row)',
  'lambdas/access/(api-key-format|id-tokens)',
  'lambdas/alerts/rules',
  'lambdas/aws/(document-client|table-throttles)',
  'lambdas/browser/(browser-keys|browser-token|origins)',
  'lambdas/enrichment/(?!idempotency|lead-data|outcomes|queue)',
  'lambdas/in-turn/',
  'lambdas/leads/(csv|lead-contact|lead-preview|learning/learn(?=\\.)|own-senders|plausible-searches)',
  'lambdas/model/',
  'lambdas/owner-api/(cursor|route-access)',
  'lambdas/sending/(outbound-http|readable-message|rules)',
  'lambdas/imports',
  'lambdas/operator/item-lines',
  'lambdas/recipients/rules',
  'lambdas/session/',
  'lambdas/workspaces/test-submission',
  'lambdas/submission/(read-request|signed-request)',
  'leadctl/(command-line|doctor-|listen)',
  'load/',
  'local/(?!console|demo|loopback|start|stream-source|tables)',
  'released/refusals',
  'sdk/',
  'training/(?!train)',
];

/** Searches, whole stacks of their own, builds and browsers: too slow for every change, and all of CI. */
const FULL = [
  'bench/(alert-simulation|search-reads)',
  'browser/',
  'conformance/(conformance|permissions)',
  'docs/commands',
  'faults/(?!patience)',
  'fuzz/',
  'iam/',
  'lambdas/sending/breaker',
  'lambdas/leads/(index-erasure|people)',
  'leadctl/(backup|erasure|person|operator-policies|package|reindex)',
  'local/start',
  'redaction/',
  'released/(?!refusals)',
  'rehearsal/',
  'sending/retries',
  'stack/builds',
  'training/train',
];

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const pathsOf = (patterns) =>
  patterns.map((pattern) => `^${RegExp.escape(`${rootDir}test/`)}${pattern}.*\\.test\\.ts$`);

const shared = {
  rootDir,
  runtime: '<rootDir>/test/jest/node-runtime.js',
  testEnvironment: '<rootDir>/test/jest/node-environment.js',
  transform: {},
  injectGlobals: false,
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.local'],
};

const onStack = {
  globalSetup: '<rootDir>/test/jest/start-stack.js',
  globalTeardown: '<rootDir>/test/jest/stop-stack.js',
};

const PROJECTS = {
  unit: { testRegex: pathsOf(UNIT), testEnvironmentOptions: { hidesStack: true } },
  stack: { testRegex: pathsOf(['']), testPathIgnorePatterns: pathsOf([...UNIT, ...FULL]), ...onStack },
  full: { testRegex: pathsOf(FULL), ...onStack },
};

/** The Jest configuration of a command that runs all tiers up to this one. */
export function upTo(tier) {
  const names = TIERS.slice(0, TIERS.indexOf(tier) + 1);
  return {
    rootDir,
    projects: names.map((name) => ({ ...shared, ...PROJECTS[name], displayName: name })),
    reporters: ['default', '<rootDir>/test/jest/durations-reporter.js'],
    testSequencer: '<rootDir>/test/jest/tier-sequencer.js',
    // Two share the one local stack well. More would only wait for it.
    maxWorkers: 2,
    // Only a bound on hanging: no test is about its own speed.
    testTimeout: 300_000,
  };
}
