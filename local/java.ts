import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartupError } from './startup-error.ts';

const REQUIRED_MAJOR = 17;
const INSTALL = `Install Java ${REQUIRED_MAJOR} or newer (for example from https://adoptium.net) so that \`java\` is in the PATH.`;

/** DynamoDB Local is a Java program: says so in one line where Java is missing or too old for it. */
export async function requireJava(): Promise<void> {
  let banner: string;
  try {
    // To stderr, by an old custom of Java's.
    banner = (await promisify(execFile)('java', ['-version'])).stderr;
  } catch {
    throw new StartupError(`DynamoDB Local needs Java, and none was found. ${INSTALL}`);
  }
  const major = javaMajor(banner);
  if (major !== undefined && major < REQUIRED_MAJOR) {
    throw new StartupError(`DynamoDB Local needs a newer Java than the version ${major} found. ${INSTALL}`);
  }
}

/** `version "17.0.2"` is 17; `version "1.8.0_402"`, the old counting, is 8. */
export function javaMajor(banner: string): number | undefined {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(banner) ?? [];
  if (first === undefined) return undefined;
  return Number(first === '1' && second !== undefined ? second : first);
}
