import { dirname, join } from 'node:path';
import { openContract } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { audit } from './audit.ts';
import { readCorpus } from './corpus.ts';
import { makeFailures } from './failures.ts';
import { fuzz, makePlan } from './fuzz.ts';
import { type ErrorLine, watchLogs } from './log-watch.ts';
import { claimsOf, table } from './report.ts';
import type { FuzzOptions } from './run.ts';
import { type StackUnderTrial, warmUp } from './stack.ts';
import type { World } from './world.ts';

/** A log line comes soon after its answer: so many answers are remembered for it. */
const MOST_REMEMBERED = 5_000;
const MOST_COMPLAINTS = 20;
const PROGRESS_EVERY = 10_000;

/** Tries the stack, prints what was tried and what held, and tells whether all of it did. */
export async function trial(
  options: FuzzOptions,
  stack: StackUnderTrial,
  world: World,
  interruption: AbortSignal,
): Promise<boolean> {
  const { seed, requests, connections, only } = options;
  const corpus = readCorpus();
  const failures = makeFailures(world, seed);
  const numbers = new Map<string, number>();
  let tooSlow = false;

  function complain({ file, line }: ErrorLine): void {
    const [, requestId = ''] = /"requestId":"([^"]+)"/.exec(line) ?? [];
    const number = numbers.get(requestId);
    console.log(`✗ ${file}: ${line.slice(0, 600)}`);
    tooSlow ||= line.includes('deadline_passed');
    if (number === undefined) return;
    void makePlan({ world, corpus, seed }, number, Math.floor(Date.now() / 1000)).then((plan) =>
      failures.add({ number, plan, faults: ['a line at error level'] }),
    );
  }

  console.log(`Seed ${seed}: ${requests} requests, ${connections} connections, corpus of ${corpus.length}.`);
  const logs = watchLogs(join(dirname(stack.outputsFile), 'logs'), complain);
  const url = new URL(localStack().ingestUrl);
  await warmUp(url, world);
  const before = memoryOf(stack);
  const startedAt = performance.now();
  const result = await fuzz({
    url,
    world,
    corpus,
    seed,
    requests,
    connections,
    only,
    onFault: failures.add,
    onAnswer(requestId, number) {
      numbers.set(requestId, number);
      if (numbers.size > MOST_REMEMBERED) numbers.delete(numbers.keys().next().value as string);
      if (number > 0 && number % PROGRESS_EVERY === 0) console.error(`  ${number} tried`);
    },
    stopped: () => interruption.aborted || stack.ended() !== undefined,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const ended = stack.ended();
  await logs.close();

  const { tally } = result;
  console.log(`\n${table(tally.rows())}\n`);
  const rate = (tally.requests / seconds).toFixed(0);
  console.log(`${tally.requests} requests in ${seconds.toFixed(1)} s: ${rate} a second.`);
  console.log(`Memory in MB, here and in the stack: ${before}; afterwards: ${memoryOf(stack)}.\n`);
  await failures.shown();
  if (tooSlow) console.log('✗ stores took over 4 s: if the machine is busy, try fewer --connections');
  const { complaints } = stack;
  for (const complaint of complaints.slice(0, MOST_COMPLAINTS)) console.log(`✗ the stack: ${complaint}`);
  if (ended !== undefined) {
    console.log(`✗ the stack came to its end: ${ended}`);
    return false;
  }
  const claims = claimsOf({
    ...result,
    complaints,
    failures: failures.count(),
    errorLines: logs.errors(),
    logLines: logs.lines(),
    audit: await audit(openContract(), world, result.judge),
  });
  for (const { held, text } of claims) console.log(`${held ? '✓' : '✗'} ${text}`);
  return claims.every(({ held }) => held);
}

function memoryOf(stack: StackUnderTrial): string {
  return `${Math.round(process.memoryUsage.rss() / 2 ** 20)} and ${stack.memory() ?? '?'}`;
}
