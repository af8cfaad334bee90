import { existsSync, realpathSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const OUTPUTS = 'LEAD_INGEST_OUTPUTS';

/**
 * Node's own globals, and the time limit of the tier: Jest knows only one for all projects. In the unit tier, tests
 * cannot find the local stack that other tiers share.
 */
export default class NodeEnvironment {
  global = globalThis;
  fakeTimers = null;
  fakeTimersModern = null;
  #exit = process.exit;
  #environment = process.env;
  #variables = { ...process.env };
  #hidesStack;
  #testTimeout;

  constructor({ projectConfig }) {
    this.#hidesStack = projectConfig.testEnvironmentOptions.hidesStack === true;
    this.#testTimeout = projectConfig.testTimeout;
  }

  async setup() {
    if (this.#hidesStack) {
      delete process.env[OUTPUTS];
      return;
    }
    while (!existsSync(process.env[OUTPUTS])) {
      // The main process ends if the stack does not start.
      if (process.send && !process.connected) process.exit(1);
      await sleep(100);
    }
    // Beside the file is what the stack writes, emails for example.
    process.env[OUTPUTS] = realpathSync(process.env[OUTPUTS]);
  }

  /** Called by Jest's test runner. A limit that a test or hook gives itself comes first. */
  handleTestEvent({ name }, state) {
    if (name === 'setup') state.testTimeout = this.#testTimeout;
  }

  async teardown() {
    // Jest wraps it for every file.
    process.exit = this.#exit;
    // What a test changed must not reach the next file. Only Node's own object sets the time zone.
    process.env = this.#environment;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    // At its end a worker has half a second left, too short for a run's worth of compiled code.
    flushCompileCache();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
