import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { explain } from '../bin/operator/explain.ts';
import { Failure, UsageFailure } from '../bin/operator/failure.ts';
import { type OpenStack, openStack } from '../bin/operator/open-stack.ts';
import { placeOf } from '../bin/operator/stack-outputs.ts';
import { makeInterruption, printable, shellWord } from '../bin/operator/terminal.ts';
import { makeProgress } from './progress.ts';
import { junitOf, reportOf } from './report.ts';
import { casesOf } from './row.ts';
import { count, type Outcome, runCases, SUITE } from './suite.ts';
import { atOnce, makeTurns, openHttp } from './world/http.ts';
import { makeThrowAways, openOwnerAccounts } from './world/throw-away.ts';
import { setUpWorld } from './world/world.ts';

export interface ConformanceOptions {
  readonly outputs: string;
  readonly stack?: string;
  readonly quick: boolean;
  /** Few requests at the same time, for an account with little Lambda concurrency. */
  readonly gentle: boolean;
  readonly junit: string;
}

type Given = Omit<ConformanceOptions, 'outputs' | 'quick' | 'gentle'> & {
  outputs?: string;
  quick?: boolean;
  gentle?: boolean;
};

/** Out of a concurrency of 10. The rest is for the functions behind: one per shard of the stream, and two that enrich. */
export const GENTLE_REQUESTS = 4;

const HELP = `
Creates six workspaces with one owner each, sends about 2,500 submissions, 2,000 of them to use up the per-minute limit
(--quick leaves these out), and removes everything again, also after Ctrl-C. On AWS it uses your own credentials and
costs a few cents.

--gentle sends at most ${GENTLE_REQUESTS} requests at the same time, for a new account with a Lambda concurrency of 10. It takes about two
minutes longer. If 1,000 requests do not fit into a minute that way, the rows about that limit are skipped.

Exit status: 0 every row passed or was skipped; 1 a row failed or could not be tried, or something could not be removed;
2 the command line or the outputs file is wrong; 130 interrupted.

Examples:
  $ npm run conformance -- --outputs .local/outputs.json
  $ npm run conformance -- --outputs outputs.json --quick --junit report.xml`;

/** Undefined if only the help was asked for. */
export function readOptions(argv: readonly string[]): ConformanceOptions | undefined {
  const command = new Command('npm run conformance --')
    .description('Checks a running stack, local or on AWS, against the specification, row by row.')
    .addOption(
      new Option('--outputs <file>', 'the file that cdk deploy --outputs-file or npm start wrote').env(
        'LEADCTL_OUTPUTS',
      ),
    )
    .option('--stack <name>', 'which stack, if the file has several')
    .option('--quick', 'leave out the rows that use up the per-minute limit')
    .option('--gentle', `at most ${GENTLE_REQUESTS} requests at the same time`)
    .option('--junit <file>', 'where to write the JUnit report', 'conformance-report.xml')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  try {
    const given = command.parse(argv, { from: 'user' }).opts<Given>();
    const { outputs, quick = false, gentle = false } = given;
    if (outputs !== undefined) return { ...given, outputs, quick, gentle };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const [sentence = ''] = error.message.replace(/^error: /, '').split('\n');
    throw new UsageFailure(`${sentence.replace(/\.$/, '')}. Pass --help to see the options.`);
  }
  throw new UsageFailure(
    'Pass --outputs FILE, the file that `cdk deploy --outputs-file` or `npm start` wrote.',
  );
}

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
    print(reportOf(SUITE, outcomes, { color: process.stdout.isTTY === true }));
    writeFileSync(options.junit, junitOf(SUITE, outcomes));
    print([`${requests} requests to the endpoints. JUnit report: ${options.junit}`]);
    const holds = count(outcomes, 'failed') + count(outcomes, 'untried') === 0 && left.length === 0;
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
  const sources = openHttp(stack.outputs.sourcesUrl ?? stack.outputs.ingestUrl);
  const throwAways = makeThrowAways(stack, accounts);
  const progress = makeProgress(process.stderr);
  const tryAll = async () => {
    const cases = casesOf(SUITE);
    const onProgress = (step: string, done: number) => progress.show(step, done, cases.length);
    progress.show('creating workspaces');
    const way = { send: http.send, sendToSources: sources.send, inTurn, gentle, signal };
    const world = await setUpWorld(stack, throwAways, way);
    const outcomes = await runCases(cases, world, { quick, gentle, onProgress });
    return { outcomes, requests: world.log.requests() };
  };
  const [tried] = await Promise.allSettled([tryAll()]);
  progress.show('removing the workspaces, which takes about ten seconds');
  const left = await throwAways.removeAll();
  progress.end();
  accounts.close();
  http.close();
  sources.close();
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

/** `npm run conformance`. Not process.exit, which would cut off output to a pipe. */
if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
