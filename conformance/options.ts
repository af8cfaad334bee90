import { Command, CommanderError, Option } from 'commander';
import { UsageFailure } from '../bin/operator/failure.ts';

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

Exit status: 0 every row passed or was skipped; 1 a row failed, or something could not be removed; 2 the command line or
the outputs file is wrong; 130 interrupted.

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
