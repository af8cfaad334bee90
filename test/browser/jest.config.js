import everything from '../../jest.config.js';

/** The console in a real browser, on the same local stack as the other tests. */
export default {
  ...everything,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/browser/start.js',
};
