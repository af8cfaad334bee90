import { makeSecretReader } from '../aws/read-secret.ts';
import { BROWSER_VARIABLES, requireVariable } from '../contract.ts';
import { makeBrowserKeys } from './browser-keys-store.ts';

export function keysFromEnvironment(env: NodeJS.ProcessEnv) {
  const local = env[BROWSER_VARIABLES.localKeys];
  const readSecret =
    local === undefined
      ? makeSecretReader(requireVariable(env, BROWSER_VARIABLES.keysSecretArn))
      : async () => local;
  return makeBrowserKeys({ now: Date.now, readSecret });
}
