import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { openContract } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { audit, type ErrorLine, watchLogs } from './audit.ts';
import { fill, readCorpus, unfill } from './corpus.ts';
import { exchange } from './exchange.ts';
import { type Failure, fuzz, makePlan } from './fuzz.ts';
import { makeJudge } from './judge.ts';
import type { Api } from './model.ts';
import { makeRandom } from './random.ts';
import { readAsServer } from './read-as-server.ts';
import { claimsOf, table } from './report.ts';
import { runningStack, type StackUnderTest, startStack, warmUp } from './stack.ts';
import { makeWorld, type World } from './world.ts';

const FOLDER = fileURLToPath(new URL('../../.local/fuzz/', import.meta.url));

/** The name of a saved request tells its address. */
const OF_SOURCES = '.sources.http';

function urlsOfStack(): Record<Api, URL> {
  const { ingestUrl, sourcesUrl } = localStack();
  return { ingest: new URL(ingestUrl), sources: new URL(sourcesUrl) };
}

/** How many failures are printed and saved; the rest are only counted. */
const MAX_SHOWN = 20;

/** Saves failing requests, and prints the command that sends each of them again to any stack. */
function makeFailures(world: World, seed: number) {
  let count = 0;
  let showing = Promise.resolve();

  async function show({ number, plan, faults }: Failure): Promise<void> {
    const ending = plan.delivery.api === 'sources' ? OF_SOURCES : '.http';
    const file = await keep(`${seed}-${number}${ending}`, plan.delivery.bytes, world);
    console.log(`✗ request ${number}: ${faults.join('; ')}`);
    console.log(`  replay: npm run test:fuzz -- --replay ${file}`);
    console.log(`  exact bytes: npm run test:fuzz -- --seed ${seed} --only ${number}`);
  }

  return {
    count: () => count,
    add(failure: Failure): void {
      count += 1;
      if (count <= MAX_SHOWN) showing = showing.then(() => show(failure));
    },
    async shown(): Promise<void> {
      await showing;
      if (count > MAX_SHOWN) console.log(`✗ and ${count - MAX_SHOWN} more`);
    },
  };
}

async function keep(name: string, bytes: Buffer, world: World): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, name);
  writeFileSync(file, await unfill(bytes, world, Math.floor(Date.now() / 1000)));
  return file;
}

/** Sends one request, and prints the expected and the actual responses. */
export async function replay(file: string, world: World): Promise<boolean> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const bytes = await fill(readFileSync(file), makeRandom(1, 0), world, nowSeconds);
  const reading = await readAsServer(bytes);
  const judge = makeJudge(world);
  const api = file.endsWith(OF_SOURCES) ? 'sources' : 'ingest';
  const delivery = { bytes, api } as const;
  const due = judge.expect(reading, nowSeconds, api);
  const kindsDue = due.map((each) => each.kinds.join(' or '));
  console.log(`Parsed as ${due.length} requests, then ${reading.rest}. Expected: ${kindsDue.join(', ')}`);
  const outcome = await exchange(urlsOfStack()[api], delivery, reading);
  for (const { status, headers, body } of outcome.responses) {
    console.log(`${status} ${body}`, Object.fromEntries(headers));
  }
  const { faults, kinds, closedSilently } = judge.judge(delivery, reading, due, outcome);
  console.log(`Got: ${kinds.join(', ')}${closedSilently ? ', then a closed connection' : ''}`);
  for (const fault of faults) console.log(`✗ ${fault}`);
  return faults.length === 0;
}

/** A log line follows soon after its response, so this many responses are enough to find its request. */
const MAX_REMEMBERED = 5_000;
const MAX_COMPLAINTS = 20;
const PROGRESS_EVERY = 10_000;

/** Fuzzes the stack, prints the results, and returns whether every claim held. */
export async function trial(
  options: FuzzOptions,
  stack: StackUnderTest,
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
      failures.add({ number, plan, faults: ['a log line at error level'] }),
    );
  }

  console.log(`Seed ${seed}: ${requests} requests, ${connections} connections, corpus of ${corpus.length}.`);
  const logs = watchLogs(join(dirname(stack.outputsFile), 'logs'), complain);
  const urls = urlsOfStack();
  await warmUp(urls, world);
  const before = memoryOf(stack);
  const startedAt = performance.now();
  const result = await fuzz({
    urls,
    world,
    corpus,
    seed,
    requests,
    connections,
    only,
    onFault: failures.add,
    onResponse(requestId, number) {
      numbers.set(requestId, number);
      if (numbers.size > MAX_REMEMBERED) numbers.delete(numbers.keys().next().value as string);
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
  console.log(`${tally.requests} requests in ${seconds.toFixed(1)} s: ${rate} per second.`);
  console.log(`Memory in MB (fuzzer, stack) before: ${before}; after: ${memoryOf(stack)}.\n`);
  await failures.shown();
  if (tooSlow) console.log('✗ the stores took over 4 s: if the machine is busy, try fewer --connections');
  const { complaints } = stack;
  for (const complaint of complaints.slice(0, MAX_COMPLAINTS)) console.log(`✗ the stack: ${complaint}`);
  if (ended !== undefined) {
    console.log(`✗ the stack stopped: ${ended}`);
    return false;
  }
  const claims = claimsOf({
    ...result,
    complaints,
    failures: failures.count(),
    errorLines: logs.errors(),
    logLines: logs.lines(),
    droppedRecords: logs.dropped(),
    audit: await audit(openContract(), world, result.judge),
  });
  for (const { held, text } of claims) console.log(`${held ? '✓' : '✗'} ${text}`);
  return claims.every(({ held }) => held);
}

function memoryOf(stack: StackUnderTest): string {
  return `${Math.round(process.memoryUsage.rss() / 2 ** 20)} and ${stack.memory() ?? '?'}`;
}

/** Sends mutated requests over raw sockets and checks each response against the specification: `npm run test:fuzz`. */

const options = readOptions(process.argv.slice(2));
const stack = options.outputs === undefined ? await startStack() : runningStack(options.outputs);
// An interrupted run still prints its results.
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

interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly connections: number;
  /** The outputs file of a running stack. */
  readonly outputs?: string;
  /** Run only the plan with this number. */
  readonly only?: number;
  /** A file with one request as it goes over the wire. */
  readonly replay?: string;
}

export function readOptions(argv: readonly string[]): FuzzOptions {
  return new Command('npm run test:fuzz --')
    .description('Sends mutated requests and checks every answer against the specification.')
    .option('--requests <n>', 'number of requests', readNumber, 100_000)
    .option('--seed <n>', 'the same seed makes the same requests', readNumber, Date.now() % 1_000_000)
    .option('--connections <n>', 'concurrent connections', readNumber, 16)
    .option('--outputs <file>', 'use this running stack instead of starting one')
    .option('--only <n>', 'send only the request with this number', readNumber)
    .option('--replay <file>', 'send this file and print the answers')
    .allowExcessArguments(false)
    .parse(argv, { from: 'user' })
    .opts<FuzzOptions>();
}

function readNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Must be a whole number.');
  return Number(text);
}
