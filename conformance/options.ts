import { Command, CommanderError, Option } from 'commander';
import { UsageFailure } from '../bin/leadctl/failure.ts';

export interface ConformanceOptions {
  readonly outputs: string;
  readonly stack?: string;
  readonly quick: boolean;
  /** Few requests at the same time, for an account in which Lambda has little concurrency. */
  readonly gentle: boolean;
  readonly junit: string;
}

type Given = Omit<ConformanceOptions, 'outputs' | 'quick' | 'gentle'> & {
  outputs?: string;
  quick?: boolean;
  gentle?: boolean;
};

/** Of a concurrency of 10. The rest is for the functions behind: one for each shard of the stream, and two that enrich. */
export const GENTLE_REQUESTS = 4;

const HELP = `
It makes five workspaces with an owner each, sends some 2,300 submissions, 2,000 of them to use up the limit of a minute
(--quick leaves these out), and removes all of it again, also after Ctrl-C. On AWS it uses your own credentials and
costs a few cents.

--gentle has at most ${GENTLE_REQUESTS} requests under way, which a new account with a Lambda concurrency of 10 has room for. It takes about
two minutes longer. If 1,000 requests do not fit into a minute that way, the rows about that limit are skipped.

Exit status: 0 every row holds or is skipped; 1 one does not, or something is left behind; 2 the command line or the
outputs file is wrong; 130 interrupted.

Examples:
  $ npm run conformance -- --outputs .local/outputs.json
  $ npm run conformance -- --outputs outputs.json --quick --junit report.xml`;

/** Undefined where only the help was asked for. */
export function readOptions(argv: readonly string[]): ConformanceOptions | undefined {
  const command = new Command('npm run conformance --')
    .description("Holds a running stack, local or on AWS, to the specification's contract, row by row.")
    .addOption(
      new Option('--outputs <file>', 'what cdk deploy --outputs-file or npm start wrote').env(
        'LEADCTL_OUTPUTS',
      ),
    )
    .option('--stack <name>', 'which stack, if the file has several')
    .option('--quick', 'leave out what uses up the limit of a minute')
    .option('--gentle', `at most ${GENTLE_REQUESTS} requests at the same time`)
    .option('--junit <file>', 'where to write the report for machines', 'conformance-report.xml')
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
    throw new UsageFailure(`${sentence.replace(/\.$/, '')}. Add --help to see what is possible.`);
  }
  throw new UsageFailure(
    'Which stack? Give the file that `cdk deploy --outputs-file` or `npm start` wrote: --outputs FILE.',
  );
}
