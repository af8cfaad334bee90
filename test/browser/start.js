import startStack from '../start-stack.js';
import { findChromium } from './find-chromium.ts';

/** Says that there is no browser before anything is started, once. */
export default async function start() {
  try {
    findChromium();
  } catch (error) {
    console.error(`\n${error.message}`);
    process.exit(1);
  }
  await startStack();
}
