import runner from 'jest-circus/runner';

// A CommonJS package seen from a module.
const circus = runner.default ?? runner;

/**
 * Jest's own test runner, without a message to the main process when each test starts and ends. These only update the
 * count on a terminal while a file runs; results come with the file.
 */
export default function runTests(globalConfig, projectConfig, environment, runtime, path) {
  return circus(globalConfig, projectConfig, environment, runtime, path);
}
