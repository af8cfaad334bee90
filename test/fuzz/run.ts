import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '#leadctl/command-line.ts';
import { openContract } from '../contract/tenant.ts';
import { allHeld, logProgress, printFindings } from '../load/findings.ts';
import { type StackProcess, startStack } from '../load/stack/start-stack.ts';
import { localStack } from '../local-stack.ts';
import { audit, type ErrorLine, watchLogs } from './audit.ts';
import { readCorpus } from './corpus.ts';
import { type Failure, fuzz, warmUp } from './fuzz.ts';
import { findingsOf } from './report.ts';
import { makeWorld } from './world.ts';

const count = wholeNumber(0, 1e9);

interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly connections: number;
  /** Run only the plan with this number. */
  readonly only?: number;
}

function readOptions(argv: readonly string[]): FuzzOptions {
  return new Command('npm run test:fuzz --')
    .description('Sends mutated requests and checks every answer against the specification.')
    .option('--requests <n>', 'number of requests', count, 100_000)
    .option('--seed <n>', 'the same seed makes the same requests', count, Date.now() % 1_000_000)
    .option('--connections <n>', 'concurrent connections', count, 16)
    .option('--only <n>', 'send only the request with this number, and print it', count)
    .allowExcessArguments(false)
    .parse(argv, { from: 'user' })
    .opts<FuzzOptions>();
}

/** How many failures are printed; the rest are only counted. */
const MAX_SHOWN = 20;
const MAX_BYTES_SHOWN = 20_000;

/** Prints failures, each with the command that sends its request again. */
function makeFailures({ seed, only }: FuzzOptions) {
  let failed = 0;
  return {
    count: () => failed,
    add({ number, faults, bytes }: Failure): void {
      failed += 1;
      if (failed > MAX_SHOWN) return;
      console.log(`✗ request ${number}: ${faults.join('; ')}`);
      if (only === undefined) console.log(`  again: npm run test:fuzz -- --seed ${seed} --only ${number}`);
      else console.log(`  sent: ${JSON.stringify(bytes?.toString('latin1', 0, MAX_BYTES_SHOWN))}`);
    },
    end(): void {
      if (failed > MAX_SHOWN) console.log(`✗ and ${failed - MAX_SHOWN} more`);
    },
  };
}

/** A log line follows soon after its response, so this many responses are enough to find its request. */
const MAX_REMEMBERED = 5_000;
const PROGRESS_EVERY = 10_000;

/** Fuzzes the stack, prints the results, and returns whether every claim held. */
async function trial(options: FuzzOptions, stack: StackProcess, interruption: AbortSignal): Promise<boolean> {
  const { seed, requests, connections } = options;
  const { ingestUrl, sourcesUrl } = localStack();
  const urls = { ingest: new URL(ingestUrl), sources: new URL(sourcesUrl) };
  const world = await makeWorld();
  const corpus = readCorpus();
  const failures = makeFailures(options);
  const numbers = new Map<string, number>();
  let tooSlow = false;

  function complain({ file, line }: ErrorLine): void {
    const [, requestId = ''] = /"requestId":"([^"]+)"/.exec(line) ?? [];
    const number = numbers.get(requestId);
    console.log(`✗ ${file}: ${line.slice(0, 600)}`);
    tooSlow ||= line.includes('deadline_passed');
    if (number !== undefined) failures.add({ number, faults: ['a log line at error level'] });
  }

  console.log(`Seed ${seed}: ${requests} requests, ${connections} connections, corpus of ${corpus.length}.`);
  const logs = watchLogs(join(dirname(stack.outputsFile), 'logs'), complain);
  await warmUp(urls, world);
  const startedAt = performance.now();
  const result = await fuzz({
    ...options,
    urls,
    world,
    corpus,
    onFault: failures.add,
    onResponse(requestId, number) {
      // Not every response has an id, nor every line of a log.
      if (requestId !== '') numbers.set(requestId, number);
      if (numbers.size > MAX_REMEMBERED) numbers.delete(numbers.keys().next().value as string);
      if (number > 0 && number % PROGRESS_EVERY === 0) logProgress(`${number} tried`);
    },
    stopped: () => interruption.aborted || stack.endedBy() !== undefined,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const ended = stack.endedBy();
  await logs.close();

  console.table(result.tally.table());
  const rate = (result.tally.requests / seconds).toFixed(0);
  console.log(`${result.tally.requests} requests in ${seconds.toFixed(1)} s: ${rate} per second.`);
  failures.end();
  if (tooSlow) console.log('✗ the stores took over 4 s: if the machine is busy, try fewer --connections');
  const complaints = stack.complaints();
  for (const complaint of complaints.slice(0, MAX_SHOWN)) console.log(`✗ the stack: ${complaint}`);
  if (ended !== undefined) {
    console.log(`✗ the stack stopped: ${ended}`);
    return false;
  }
  const findings = findingsOf({
    ...result,
    complaints,
    failures: failures.count(),
    errorLines: logs.errors(),
    logLines: logs.lines(),
    droppedRecords: logs.dropped(),
    audit: await audit(openContract(), world, result.judge),
  });
  printFindings(`Seed ${seed}`, findings);
  return allHeld(findings);
}

/** Sends mutated requests over raw sockets and checks each response against the specification: `npm run test:fuzz`. */
const options = readOptions(process.argv.slice(2));
const stack = await startStack();
// An interrupted run still prints its results.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
try {
  const held = await trial(options, stack, interruption.signal);
  process.exitCode = held && !interruption.signal.aborted ? 0 : 1;
} finally {
  await stack.stop();
}
