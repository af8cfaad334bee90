import { readOptions } from './options.ts';
import { replay } from './replay.ts';
import { runningStack, startStack } from './stack.ts';
import { trial } from './trial.ts';
import { makeWorld } from './world.ts';

/** Mutated requests over raw sockets, each answer held to the specification: `npm run test:fuzz`. */

const options = readOptions(process.argv.slice(2));
const stack = options.outputs === undefined ? await startStack() : runningStack(options.outputs);
// What has been tried until then is still told.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
try {
  process.env.LEAD_INGEST_OUTPUTS = stack.outputsFile;
  const world = await makeWorld();
  const held = options.replay
    ? await replay(options.replay, world)
    : await trial(options, stack, world, interruption.signal);
  process.exitCode = held && !interruption.signal.aborted ? 0 : 1;
} finally {
  await stack.stop();
}
