import { type Command, Option } from 'commander';
import { examples } from './command-line.ts';
import type { Check, CheckResult } from './doctor/check.ts';
import { addContext } from './doctor/settings.ts';
import { UsageFailure } from './failure.ts';
import { printable } from './print.ts';
import type { RunCommand, Session, WithoutStack } from './session.ts';

interface DoctorOptions {
  readonly context?: Readonly<Record<string, unknown>>;
  readonly stage?: string;
  readonly region?: string;
  readonly roundTrip: boolean;
}

const HELP = `
Without an outputs file, or with -c, --stage or --region, it looks at what a deployment needs: credentials, region, CDK's
bootstrap, Lambda's concurrency, API Gateway's role, certificates, the hosted zone, and what an earlier stack left that
would collide. Settings are those of cdk deploy, after -c or in cdk.json.

With an outputs file it looks at the stack that wrote it: alarms and who is told, aliases against CodeDeploy, how far
streams and the queue are behind, dead letters, and whether a lead gets in. For that it makes a workspace, sends a lead
and one with an unknown token, and removes everything, which takes ten seconds; --no-round-trip leaves that out. One
rejection of an unknown token stays in diagnostics.

It changes nothing else. One line for each check: ok, warn, FAIL, or skip, and what to do.

Exit status: 0 if nothing failed, warnings or not; 1 if something did; 2 if the command line is wrong.

Before a deployment:
  $ npx leadctl doctor --stage prod --region eu-west-1
  $ npx leadctl doctor -c stage=prod -c ingestDomainName=leads.example.com -c ingestCertificateArn=arn:…
`;

export function addDoctorCommand(program: Command, run: RunCommand, withoutStack: WithoutStack): void {
  program
    .command('doctor')
    .description('Check an AWS account before a deployment, or a stack after it, and say what to do.')
    .option('-c, --context <key=value>', 'before: a setting, as for cdk deploy; several times', addContext)
    .addOption(new Option('--stage <stage>', 'before: the same as -c stage=…').choices(['dev', 'prod']))
    .option('--region <region>', 'before: where to deploy, if not where the AWS SDK would')
    .option('--no-round-trip', 'after: send no lead')
    .addHelpText('after', HELP + examples('doctor', 'doctor --no-round-trip --json'))
    .action((options: DoctorOptions) => {
      const { context, stage, region } = options;
      const before = [context, stage, region].some((each) => each !== undefined);
      const outputs = withoutStack.outputsNamed();
      if (before && outputs === 'by option') {
        throw new UsageFailure(
          'Before a deployment or after it? -c, --stage and --region are for before, --outputs is for after.',
        );
      }
      return before || outputs === undefined
        ? withoutStack.run((bare) => examineBefore(bare, options))
        : run((session) => examineAfter(session, options));
    });
}

type Printing = Pick<Session, 'json' | 'terminal'>;

async function examineBefore(bare: Printing, { context = {}, stage, region }: DoctorOptions) {
  const [{ openAws }, { checksBefore }, { readDeploymentSettings }] = await Promise.all([
    import('./doctor/aws.ts'),
    import('./doctor/before.ts'),
    import('./doctor/settings.ts'),
  ]);
  const settings = readDeploymentSettings({ ...context, ...(stage && { stage }) });
  const aws = await openAws({ region });
  return examine(checksBefore(aws, settings, Date.now), bare);
}

async function examineAfter(session: Session, options: DoctorOptions) {
  const { outputs } = session;
  const [{ checksAfter, checksOnThisMachine }, { roundTrip }, { skip }] = await Promise.all([
    import('./doctor/after.ts'),
    import('./doctor/round-trip.ts'),
    import('./doctor/check.ts'),
  ]);
  const lead: Check = {
    name: 'round trip',
    run: async () =>
      options.roundTrip ? roundTrip(session, session.interruption()) : skip('--no-round-trip'),
  };
  if (outputs.localDynamoDbEndpoint !== undefined) {
    return examine(checksOnThisMachine(session, lead, Date.now), session);
  }
  const { openAws } = await import('./doctor/aws.ts');
  const aws = await openAws({ region: outputs.region });
  return examine(checksAfter(aws, outputs, session, lead, Date.now), session);
}

/** For people, each line as soon as it is known: the round trip takes a while. */
async function examine(checks: readonly Check[], { json, terminal }: Printing) {
  const { lineOf, runChecks, summaryOf } = await import('./doctor/check.ts');
  const write = (line: string) => terminal.stdout.write(`${printable(line)}\n`);
  const onResult = (result: CheckResult) => json || write(lineOf(result));
  const results = await runChecks(checks, onResult);
  const exitCode = results.some(({ status }) => status === 'fail') ? 1 : 0;
  if (json) return { result: results, lines: [], exitCode };
  write(summaryOf(results));
  return { exitCode };
}
