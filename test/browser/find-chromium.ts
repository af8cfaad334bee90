import { accessSync, constants } from 'node:fs';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The system's Chromium: nothing is downloaded. */
export function findChromium(): string {
  const told = process.env.CHROMIUM_PATH;
  const found = (told ? [told] : USUAL_PLACES).find(canRun);
  if (found) return found;
  throw new Error(
    told
      ? `CHROMIUM_PATH is ${told}, which cannot be run.`
      : 'There is no Chromium in the usual places: install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH.',
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
