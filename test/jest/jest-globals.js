let current;

/** Called for each test file, with the functions that register its tests. */
export function setGlobals(globals) {
  current = globals;
}

/** Helpers are loaded once and used by many test files: what they import must belong to the file that runs now. */
function forward(name) {
  return new Proxy(() => undefined, {
    apply: (_target, self, args) => Reflect.apply(current[name], self, args),
    get: (_target, property) => current[name][property],
  });
}

export const afterAll = forward('afterAll');
export const afterEach = forward('afterEach');
export const beforeAll = forward('beforeAll');
export const beforeEach = forward('beforeEach');
export const describe = forward('describe');
export const expect = forward('expect');
export const test = forward('test');
