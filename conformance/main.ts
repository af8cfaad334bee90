import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { explain } from '../bin/operator/explain.ts';
import { Failure, UsageFailure } from '../bin/operator/failure.ts';
import { type OpenStack, openStack } from '../bin/operator/open-stack.ts';
import { placeOf } from '../bin/operator/stack-outputs.ts';
import { makeInterruption, makeProgressBar, printable, shellWord } from '../bin/operator/terminal.ts';
import { type ConformanceOptions, GENTLE_REQUESTS, readOptions } from './options.ts';
import { junitOf } from './report/junit.ts';
import { reportOf } from './report/report.ts';
import { casesOf } from './row.ts';
import { count, type Outcome, runCases } from './run-cases.ts';
import { SUITE } from './suite.ts';
import { openHttp } from './world/http.ts';
import { openOwnerAccounts } from './world/owner-accounts.ts';
import { atOnce, makeTurns } from './world/pacing.ts';
import { makeThrowAways } from './world/throw-away.ts';
import { furnishWorld } from './world/world.ts';

/** Runs the suite as the command line says, and returns the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = readOptions(argv);
    return options ? await conform(options) : 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    complain(error.message);
    return error.exitCode;
  }
}

async function conform(options: ConformanceOptions): Promise<number> {
  requireFolderOf(options.junit);
  const stack = openStack(options.outputs, options.stack);
  const interruption = makeInterruption(process.stdout);
  try {
    print([`Conformance of ${placeOf(stack.outputs)}, at ${stack.outputs.ingestUrl}`, '']);
    const { tried, left } = await tryAndCleanUp(stack, options, interruption.signal());
    if (left.length > 0) complain(howToRemove(left, options));
    if (tried.status === 'rejected') throw tried.reason;
    const { outcomes, requests } = tried.value;
    print(reportOf(SUITE, outcomes, { colour: process.stdout.isTTY === true }));
    writeFileSync(options.junit, junitOf(SUITE, outcomes));
    print([`${requests} requests to the endpoints. JUnit report: ${options.junit}`]);
    const holds = count(outcomes, 'failed') === 0 && left.length === 0;
    return interruption.failure()?.exitCode ?? (holds ? 0 : 1);
  } catch (error) {
    throw explain(error, stack.outputs, interruption.failure()) ?? error;
  } finally {
    interruption.close();
    stack.client.destroy();
    stack.queueClient.destroy();
  }
}

interface Run {
  readonly tried: PromiseSettledResult<{ readonly outcomes: Outcome[]; readonly requests: number }>;
  /** Workspaces that could not be removed completely. */
  readonly left: readonly string[];
}

/** Always removes what it created; a second Ctrl-C ends that too. */
async function tryAndCleanUp(
  stack: OpenStack,
  { quick, gentle }: ConformanceOptions,
  signal: AbortSignal,
): Promise<Run> {
  const inTurn = gentle ? makeTurns(GENTLE_REQUESTS) : atOnce;
  const accounts = openOwnerAccounts(stack.outputs, inTurn);
  const http = openHttp(stack.outputs.ingestUrl);
  const throwAways = makeThrowAways(stack, accounts);
  const bar = makeProgressBar(process.stderr);
  const tryAll = async () => {
    const cases = casesOf(SUITE);
    const onProgress = (done: number) => bar.show(done, cases.length, 'rows');
    bar.show(0, cases.length, 'creating workspaces');
    const world = await furnishWorld(stack, throwAways, { send: http.send, inTurn, gentle, signal });
    const outcomes = await runCases(cases, world, { quick, gentle, onProgress });
    return { outcomes, requests: world.log.requests() };
  };
  const [tried] = await Promise.allSettled([tryAll()]);
  bar.show(0, undefined, 'removing the workspaces, which takes about ten seconds');
  const left = await throwAways.removeAll();
  bar.clear();
  accounts.close();
  http.close();
  return { tried, left };
}

function howToRemove(workspaceIds: readonly string[], { outputs, stack }: ConformanceOptions): string {
  const which = `--outputs ${shellWord(outputs)}${stack ? ` --stack ${shellWord(stack)}` : ''}`;
  return [
    'Not everything could be removed. To remove the rest:',
    ...workspaceIds.map((id) => `  npx --no-install leadctl ${which} workspace offboard ${id} --yes`),
  ].join('\n');
}

/** Checked first: otherwise a report that cannot be written would show only at the end. */
function requireFolderOf(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch {
    throw new UsageFailure(`The report cannot be written to ${file}. Does its folder exist?`);
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function complain(message: string): void {
  const [first = '', ...rest] = message.split('\n').map(printable);
  process.stderr.write(`${[`conformance: ${first}`, ...rest].join('\n')}\n`);
}
