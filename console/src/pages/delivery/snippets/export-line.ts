import { inShell } from './quoting.ts';
import { SECRET_VARIABLE } from './snippet.ts';

/** Puts the secret into the environment. It can be filled in only while it is shown. */
export function exportLine(secret = 'the secret'): string {
  return `export ${SECRET_VARIABLE}=${inShell(secret)}`;
}
