import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { casesOf } from '../../conformance/row.ts';
import { SUITE } from '../../conformance/suite.ts';
import { makeGithubApp } from '../../lib/github-deployment-stack.ts';
import { evaluate, type Statement } from '../../local/iam/evaluate.ts';
import { type Template, TemplateReader } from '../../local/template.ts';
import { localStack } from '../local-stack.ts';
import type { RecordedCall } from '../recorded-calls/iam-actions.ts';
import { arnsOf, startRecorder } from '../recorded-calls/recorder.ts';
import { withAssembly } from '../stack/synthesize.ts';
import { failedRows, type Run, runConformance, SECRETS, testCases } from './run-conformance.ts';

// The command that an operator runs on a deployment, here on the stack that the test run started.
const { outputsFile } = localStack();

/** The only rows that may be skipped: they take too long, a network hides them, or another section has them. */
const SKIPPED = [
  'Receives leads from browsers (Surface 2)',
  'Is long-lived',
  'After 24 hours, the key counts as new',
  '4. Values are compared in constant time',
  'A token is rejected after 120 seconds',
  'Submissions per day: 50,000 (Surface 1a)',
  'Submissions per day: 50,000 (Surface 1b)',
  'Idempotency window: 24 hours',
  'Above 1,000 per minute and 50,000 per day: 503',
  'An outage and a throttled function: 503',
  'A repeat is recognized for 7 days',
];

let run: Run;
/** What the run asked AWS for. */
let recorded: readonly RecordedCall[];
beforeAll(async () => {
  const [outputs = {}] = Object.values(
    JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Record<string, string>>,
  );
  const recorder = await startRecorder(outputs, arnsOf(outputs));
  try {
    run = await runConformance(['--outputs', recorder.outputsFile]);
    recorded = recorder.take();
  } finally {
    recorder.stop();
  }
  // As long as on a machine that does other things, too: it has two bursts of a minute, tried twice at most.
}, 600_000);

describe('the stack of this test run', () => {
  test('passes every row, and no row is skipped by accident', () => {
    expect(failedRows(run)).toEqual([]);
    const skipped = testCases(run).filter(({ result }) => result === 'skipped');
    expect(skipped.map(({ name }) => name)).toEqual(SKIPPED);
    expect(run.exitCode).toBe(0);
  });

  test('has one test case per row and surface, each with its own name', () => {
    const names = testCases(run).map(({ section, name }) => `${section}: ${name}`);
    expect(names).toHaveLength(casesOf(SUITE).length);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has one line per row of each section, in order', () => {
    let from = 0;
    for (const { title, rows } of SUITE) {
      for (const text of [title, ...rows.map(({ rule }) => rule)]) {
        const at = run.stdout.indexOf(text, from);
        expect([text, at]).toEqual([text, expect.any(Number)]);
        expect(at).toBeGreaterThanOrEqual(from);
        from = at + text.length;
      }
    }
    expect(run.stdout).toContain(
      `${casesOf(SUITE).length - SKIPPED.length} passed, 0 failed, 0 could not be tried, ${SKIPPED.length} skipped.`,
    );
  });

  test('shows no secret', () => {
    expect(run.stdout + run.xml).not.toMatch(SECRETS);
  });
});

describe('the deployment role', () => {
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

  const calls = () => recorded.map(onAws);

  test('may do everything that the run does', () => {
    expect(calls().length).toBeGreaterThan(20);
    expect(calls().filter((call) => !evaluate(statements, call).allowed)).toEqual([]);
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
        return !calls().some((call) => evaluate([one], call).allowed);
      });
    expect(unused.map(({ action, resource }) => `${action} on ${resource}`)).toEqual([]);
  });

  test('but not on a user pool of another stage', () => {
    const [call] = calls().filter(({ action }) => action === 'cognito-idp:AdminSetUserPassword');
    const context = { 'aws:ResourceTag/service': 'lead-ingest', 'aws:ResourceTag/stage': 'prod' };
    expect(call && evaluate(statements, { ...call, context }).allowed).toBe(false);
  });
});
