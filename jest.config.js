/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // These need a browser: npm run test:browser.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024' }, module: { type: 'es6' } }] },
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.local'],
  globalSetup: '<rootDir>/test/start-stack.js',
  globalTeardown: '<rootDir>/test/stop-stack.js',
  // Two share the one local stack well. More would only wait for it.
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/the-machine-to-itself-last.js',
  // Only a bound on hanging: no test is about its own speed.
  testTimeout: 300_000,
};
