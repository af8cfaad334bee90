import everything from '../../jest.config.js';

/** The console in a real browser, on the same local stack as the other tests. */
export default {
  ...everything,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Pages wait more than they work: two browsers take five minutes where one takes seven and a half, on two cores.
  maxWorkers: 2,
  globalSetup: '<rootDir>/test/browser/start.js',
};
