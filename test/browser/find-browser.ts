import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

type BrowserName = 'chromium' | 'firefox';

interface Places {
  /** Of the program, in a folder of the PATH. */
  readonly names: readonly string[];
  readonly elsewhere: readonly string[];
  readonly debianPackage: string;
}

const PLACES: Readonly<Record<BrowserName, Places>> = {
  chromium: {
    // The headless shell comes first: it is the same engine without a user interface, and takes less processor time.
    names: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
    ],
    elsewhere: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    debianPackage: 'chromium-headless-shell',
  },
  firefox: {
    names: ['firefox-esr', 'firefox'],
    elsewhere: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    debianPackage: 'firefox-esr',
  },
};

/** The one that CHROMIUM_PATH or FIREFOX_PATH names, or else one of this system. Nothing is downloaded. */
export function requireBrowser(name: BrowserName, env: NodeJS.ProcessEnv = process.env): string {
  const { names, elsewhere, debianPackage } = PLACES[name];
  const variable = `${name.toUpperCase()}_PATH`;
  const told = env[variable];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = names.flatMap((each) => folders.map((folder) => join(folder, each)));
  const found = (told ? [told] : [...usual, ...elsewhere]).find(canRun);
  if (found) return found;
  throw new Error(
    told
      ? `${variable} is ${told}, which cannot be run.`
      : `None of ${names.join(', ')} was found: install one (on Debian: apt-get install ${debianPackage}) or set ${variable}.`,
  );
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// For .ci/run: prints the path, or what is missing.
if (import.meta.main) {
  try {
    console.log(requireBrowser(process.argv[2] as BrowserName));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
