import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { GENTLE_REQUESTS } from '../../conformance/main.ts';
import { makeGithubApp } from '../../lib/github-deployment-stack.ts';
import { evaluate, type Statement } from '../../local/iam/evaluate.ts';
import { type Template, TemplateReader } from '../../local/template.ts';
import { localStack } from '../local-stack.ts';
import type { RecordedCall } from '../recorded-calls/iam-actions.ts';
import { arnsOf, startRecorder } from '../recorded-calls/recorder.ts';
import { withAssembly } from '../stack/synthesize.ts';
import { failedRows, type Run, runConformance, testCases } from './run-conformance.ts';
import { startBusyAccount } from './wrong-deployment.ts';

async function runInBusyAccount(args: readonly string[]) {
  const account = await startBusyAccount({ room: GENTLE_REQUESTS });
  try {
    const run = await runConformance(['--outputs', account.outputsFile, ...args]);
    return { run, seen: account.seen };
  } finally {
    account.stop();
  }
}

let recorded: readonly RecordedCall[];
let recordedRun: Run;
let hasty: Awaited<ReturnType<typeof runInBusyAccount>>;

// At the same time: each waits for clocks and for work in the background.
beforeAll(async () => {
  const [outputs = {}] = Object.values(
    JSON.parse(readFileSync(localStack().outputsFile, 'utf8')) as Record<string, Record<string, string>>,
  );
  const recorder = await startRecorder(outputs, arnsOf(outputs));
  try {
    [recordedRun, hasty] = await Promise.all([
      runConformance(['--outputs', recorder.outputsFile, '--quick']),
      runInBusyAccount(['--quick']),
    ]);
    recorded = recorder.take();
  } finally {
    recorder.stop();
  }
}, 300_000);

describe('permissions', () => {
  /** What the workflow may do when it runs the conformance command on dev. */
  const statements = withAssembly((outdir): Statement[] => {
    const app = makeGithubApp({
      outdir,
      context: { repository: 'acme/leads' },
      builtinCloudFormationValidation: false,
    });
    const { template, stackName } = app.synth().getStackByName('LeadIngest-github');
    const reader = new TemplateReader(template as Template, stackName);
    const role = reader
      .resources('AWS::IAM::Role')
      .find(({ logicalId }) => logicalId.startsWith('DevDeploy'));
    const [policy] = role?.required<{ PolicyDocument: { Statement: Statement[] } }[]>('Policies') ?? [];
    return policy?.PolicyDocument.Statement ?? [];
  });

  /** As on AWS, where CloudFormation adds a suffix to the names of tables, and tags resources. */
  const onAws = ({ action, resource }: RecordedCall) => ({
    action,
    resource: resource.replace(/(:table\/[\w-]+)/, '$1-1KD5RLZ4WYRWO'),
    context: { 'aws:ResourceTag/service': 'lead-ingest', 'aws:ResourceTag/stage': 'dev' },
  });

  const calls: ReturnType<typeof onAws>[] = [];
  beforeAll(() => {
    calls.push(...recorded.map(onAws));
  });

  test('the deployment role may do everything that the conformance run does', () => {
    expect(failedRows(recordedRun)).toEqual([]);
    expect(recordedRun.exitCode).toBe(0);
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter((call) => !evaluate(statements, call).allowed)).toEqual([]);
  });

  test('and nothing else except deploying', () => {
    const unused = statements
      .flatMap(({ Action = [], Resource = [], ...rest }) =>
        [Action]
          .flat()
          .flatMap((action) => [Resource].flat().map((resource) => ({ rest, action, resource }))),
      )
      // DynamoDB calls KMS on behalf of the caller that reads and writes webhook secrets.
      .filter(({ action }) => action !== 'sts:AssumeRole' && !action.startsWith('kms:'))
      // There is something to delete only if the watch ran during the conformance run, as it may on AWS.
      .filter(
        ({ action, resource }) => !(action.endsWith(':BatchWriteItem') && `${resource}`.includes('-Alerts-')),
      )
      .filter(({ rest, action, resource }) => {
        const one = { ...rest, Action: action, Resource: resource };
        return !calls.some((call) => evaluate([one], call).allowed);
      });
    expect(unused.map(({ action, resource }) => `${action} on ${resource}`)).toEqual([]);
  });

  test('but not on a user pool of another stage', () => {
    const [call] = calls.filter(({ action }) => action === 'cognito-idp:AdminSetUserPassword');
    const context = { 'aws:ResourceTag/service': 'lead-ingest', 'aws:ResourceTag/stage': 'prod' };
    expect(call && evaluate(statements, { ...call, context }).allowed).toBe(false);
  });
});

describe('a busy account', () => {
  // burst.unit.test.ts shows that the rows about the per-minute limit, which --quick leaves out, take turns as well.
  test('with --gentle every row passes with little Lambda concurrency, and no request is refused', async () => {
    const { run, seen } = await runInBusyAccount(['--quick', '--gentle']);
    expect(failedRows(run)).toEqual([]);
    expect(run.exitCode).toBe(0);
    expect(seen).toEqual({ atOnce: 0, most: GENTLE_REQUESTS, refused: 0 });
  }, 600_000);

  test('without --gentle, rows fail', () => {
    expect(hasty.seen.refused).toBeGreaterThan(0);
    expect(testCases(hasty.run).some(({ result }) => result === 'failure')).toBe(true);
    expect(hasty.run.exitCode).toBe(1);
  });
});
