import everything from '../../jest.config.js';

/** The console in a real browser, on the same local stack as the other tests. */
export default {
  ...everything,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // A browser and the stack keep two cores busy.
  maxWorkers: 1,
  globalSetup: '<rootDir>/test/browser/start.js',
};
