import { Command, InvalidArgumentError } from 'commander';
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

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly connections: number;
  /** The outputs file of a stack that runs already. */
  readonly outputs?: string;
  /** Only the plan of this number. */
  readonly only?: number;
  /** A file with one request as it goes over the wire. */
  readonly replay?: string;
}

export function readOptions(argv: readonly string[]): FuzzOptions {
  return new Command('npm run test:fuzz --')
    .description('Sends mutated requests, and holds every answer to what is promised.')
    .option('--requests <n>', 'how many', readNumber, 100_000)
    .option('--seed <n>', 'the same seed makes the same requests', readNumber, Date.now() % 1_000_000)
    .option('--connections <n>', 'how many at a time', readNumber, 16)
    .option('--outputs <file>', 'try this stack, instead of one started for it')
    .option('--only <n>', 'try only the request of this number', readNumber)
    .option('--replay <file>', 'send this file, and show what comes back')
    .allowExcessArguments(false)
    .parse(argv, { from: 'user' })
    .opts<FuzzOptions>();
}

function readNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
