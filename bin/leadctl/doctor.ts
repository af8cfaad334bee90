import { type Command, Option } from 'commander';
import { UsageFailure } from '../operator/failure.ts';
import { printable } from '../operator/terminal.ts';
import { examples, LEADCTL } from './command-line.ts';
import type { Check, CheckResult } from './doctor/check.ts';
import { addContext } from './doctor/settings.ts';
import type { RunCommand, Session, WithoutStack } from './session.ts';

interface DoctorOptions {
  readonly context?: Readonly<Record<string, unknown>>;
  readonly stage?: string;
  readonly region?: string;
  readonly roundTrip: boolean;
}

const HELP = `
Without an outputs file, or with -c, --stage or --region, it checks what a deployment needs: credentials, region, CDK
bootstrap, Lambda concurrency, the API Gateway role, certificates, the hosted zone, the sender of mail in SES, and
leftovers of an earlier stack that would collide. It reads the settings of cdk deploy from -c or cdk.json. If the stack
exists, it compares its template with that of this checkout, and warns about changes that a rollback does not undo.

With an outputs file, it checks that stack: whether its version is that of leadctl, alarms and their subscriptions, aliases against CodeDeploy, how far streams
and queues are behind, dead letters, the sender of mail in SES, and a round trip. The round trip creates a workspace,
sends one valid lead and one with an unknown token, and deletes everything, which takes about ten seconds. One rejection
of an unknown token remains in diagnostics. Pass --no-round-trip to skip it.

It changes nothing else. It prints one line per check: ok, warn, FAIL or skip, and what to do.

Exit status: 0 if no check failed, even with warnings; 1 if a check failed; 2 if the command line is invalid.

Before a deployment:
  $ ${LEADCTL} doctor --stage prod --region eu-west-1
  $ ${LEADCTL} doctor -c stage=prod -c ingestDomainName=leads.example.com -c ingestCertificateArn=arn:…
`;

export function addDoctorCommand(command: Command, run: RunCommand, withoutStack: WithoutStack): void {
  command
    .option(
      '-c, --context <key=value>',
      'before a deployment: a setting for cdk deploy; repeatable',
      addContext,
    )
    .addOption(
      new Option('--stage <stage>', 'before a deployment: same as -c stage=…').choices(['dev', 'prod']),
    )
    .option(
      '--region <region>',
      'before a deployment: region to deploy to (default: from the AWS configuration)',
    )
    .option('--no-round-trip', 'after a deployment: do not send leads')
    .addHelpText('after', HELP + examples('doctor', 'doctor --no-round-trip --json'))
    .action((options: DoctorOptions) => {
      const { context, stage, region } = options;
      const before = [context, stage, region].some((each) => each !== undefined);
      const outputs = withoutStack.outputsNamed();
      if (before && outputs === 'by option') {
        throw new UsageFailure(
          'Pass -c, --stage or --region to check before a deployment, or --outputs to check after it, not both.',
        );
      }
      return before || outputs === undefined
        ? withoutStack.run((bare) => examineBefore(bare, options))
        : run((session) => examineAfter(session, options));
    });
}

type Printing = Pick<Session, 'json' | 'terminal'>;

async function examineBefore(bare: Printing, { context = {}, stage, region }: DoctorOptions) {
  const [{ openAws }, { checksBefore }, { readDeploymentSettings }, { upgradeCheck }] = await Promise.all([
    import('./doctor/aws.ts'),
    import('./doctor/before.ts'),
    import('./doctor/settings.ts'),
    import('./doctor/upgrade.ts'),
  ]);
  const typed = { ...context, ...(stage && { stage }) };
  const settings = readDeploymentSettings(typed);
  const aws = await openAws({ region });
  const upgrade = upgradeCheck(aws, `LeadIngest-${settings.stage}`, typed);
  return examine([...checksBefore(aws, settings, Date.now), upgrade], bare);
}

async function examineAfter(session: Session, options: DoctorOptions) {
  const { outputs } = session;
  const [{ checksAfter, checksOnThisMachine, versionCheck }, { roundTrip }, { skip }] = await Promise.all([
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
    return examine([versionCheck(outputs), ...checksOnThisMachine(session, lead, Date.now)], session);
  }
  const { openAws } = await import('./doctor/aws.ts');
  const aws = await openAws({ region: outputs.region });
  return examine([versionCheck(outputs), ...checksAfter(aws, outputs, session, lead, Date.now)], session);
}

/** Prints each line for people at once: the round trip takes a while. */
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
