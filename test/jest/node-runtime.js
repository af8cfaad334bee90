import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setGlobals } from './jest-globals.js';

// The real package throws when it is loaded outside Jest's virtual machine.
registerHooks({
  resolve(specifier, context, nextResolve) {
    return specifier === '@jest/globals'
      ? { url: new URL('./jest-globals.js', import.meta.url).href, shortCircuit: true }
      : nextResolve(specifier, context);
  },
});

const require = createRequire(import.meta.url);
let imports = 0;

/**
 * Loads test files with Node itself, which strips their types, instead of in Jest's virtual machine. That machine loads
 * and compiles every module again for every test file: 7 to 10 s of CPU for CDK alone. Here a worker loads a module
 * once and its test files share it. Everything else is Jest as usual: discovery, workers, circus, reporters.
 */
export default class NodeRuntime {
  requireInternalModule(path) {
    // Circus keeps the tests of a file in the module, so each file gets its own.
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    setGlobals(globals);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    imports += 1;
    return import(`${pathToFileURL(path)}?import=${imports}`);
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {}
}

// Jest calls require() for this file.
export { NodeRuntime as 'module.exports' };
