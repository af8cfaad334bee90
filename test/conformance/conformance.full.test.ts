import { randomBytes } from 'node:crypto';
import { CognitoIdentityProviderClient, ListUsersCommand } from '@aws-sdk/client-cognito-identity-provider';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { casesOf } from '../../conformance/row.ts';
import { SUITE } from '../../conformance/suite.ts';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { makeAdministration } from '../../lambdas/workspaces/administration.ts';
import { localStack } from '../local-stack.ts';
import { waitFor } from '../until.ts';
import { failedRows, type Run, runConformance, testCases } from './run-conformance.ts';
import {
  acceptEverything,
  type RespondWrongly,
  rejectEverything,
  repeatEverything,
  startWrongDeployment,
} from './wrong-deployment.ts';

// The command that an operator runs on a deployment, here on the stack that the test run started.
const { outputsFile, output, tables, newClient } = localStack();

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

const SECRETS = /ingt_(?:srv|brw)_\w{10}|whsec_\w{10}|\b[0-9a-f]{64}\b|eyJ[\w-]{20}|@example\.com/i;

/** The workspaces and owners of conformance runs that exist now. */
async function leftBehind(): Promise<string[]> {
  const client = toDocumentClient(newClient());
  const administration = makeAdministration({ client, tables, now: Date.now, randomBytes });
  const workspaces = (await administration.listWorkspaces()).map(({ name }) => name);
  const cognito = new CognitoIdentityProviderClient({
    endpoint: output(OUTPUTS.localCognitoEndpoint),
    region: output(OUTPUTS.region),
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { Users = [] } = await cognito.send(new ListUsersCommand({ UserPoolId: output(OUTPUTS.userPoolId) }));
  const owners = Users.flatMap(({ Attributes = [] }) => Attributes.map(({ Value = '' }) => Value));
  client.destroy();
  cognito.destroy();
  return [...workspaces, ...owners].filter((name) => /^conformance[:-]/i.test(name));
}

describe('the stack of this test run', () => {
  let run: Run;
  beforeAll(async () => {
    run = await runConformance(['--outputs', outputsFile]);
    // As long as on a machine that does other things, too: it has two bursts of a minute, tried twice at most.
  }, 600_000);

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

describe('a wrong deployment', () => {
  const WRONG: Readonly<Record<string, RespondWrongly>> = {
    acceptEverything,
    rejectEverything,
    repeatEverything,
  };
  const runs = new Map<string, Run>();
  let interrupted: Run;
  beforeAll(async () => {
    const tries = Object.entries(WRONG).map(async ([name, respondWrongly]) => {
      const { outputsFile: wrong, stop } = await startWrongDeployment(respondWrongly);
      try {
        runs.set(name, await runConformance(['--outputs', wrong, '--quick']));
      } finally {
        stop();
      }
    });
    const interruption = runConformance(['--outputs', outputsFile], { interruptAt: 'running the rows' });
    await Promise.all(tries);
    interrupted = await interruption;
  }, 300_000);

  const resultsOf = (name: string) =>
    new Map(testCases(runs.get(name) as Run).map((each) => [each.name, each.result]));

  test('fails with exit status 1', () => {
    expect([...runs].map(([name, { exitCode }]) => [name, exitCode])).toEqual(
      expect.arrayContaining(Object.keys(WRONG).map((name) => [name, 1])),
    );
  });

  test('that accepts everything fails the causes of rejection and the rows that look for the lead', () => {
    const results = resultsOf('acceptEverything');
    for (const name of [
      'Missing token',
      'Form inactive',
      'Oversized body: 131,073 bytes',
      'Suspended workspace',
    ]) {
      expect([name, results.get(`${name} (Surface 1a)`)]).toEqual([name, 'failure']);
    }
    expect(results.get('Scores each lead automatically (Surface 1a)')).toBe('failure');
    expect(results.get('Every request to /api/ingest/:slug returns 410 Gone, with any method')).toBe(
      'failure',
    );
    expect(results.get('Receives leads (Surface 1a)')).toBe('passed');
    expect(results.get('A wrong signature gets 503')).toBe('failure');
  });

  test('that rejects everything fails the accepted rows, and the causes because no reason is recorded', () => {
    const results = resultsOf('rejectEverything');
    for (const name of [
      'Receives leads',
      '5. Success is 202 with the submission_id',
      'Missing token',
      'Form inactive',
    ]) {
      expect([name, results.get(`${name} (Surface 1a)`)]).toEqual([name, 'failure']);
    }
  });

  test('that echoes requests with 400 fails, and nothing it echoes is shown', () => {
    const { stdout, xml = '' } = runs.get('repeatEverything') as Run;
    expect(resultsOf('repeatEverything').get('2. No 401, 400 or 429 in the whole run')).toBe('failure');
    expect(stdout).toContain('got 400');
    expect(stdout + xml).not.toMatch(SECRETS);
  });

  test('with --quick, the rows that are left out say so', () => {
    const limits = testCases(runs.get('rejectEverything') as Run).filter(
      ({ section }) => section === 'Limits',
    );
    expect(limits).toContainEqual(
      expect.objectContaining({ result: 'skipped', message: 'left out by --quick' }),
    );
  });

  test('when interrupted, says so', () => {
    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.stdout).toContain('skipped: interrupted');
  });

  test('leaves no workspace and no owner behind, not even when wrong or interrupted', async () => {
    // The test of the permissions may run the suite on the same stack, and removes what is its own.
    await waitFor(async () => (await leftBehind()).length === 0);
  }, 300_000);
});

describe('a wrong command line', () => {
  test.each([
    ['no outputs file', []],
    ['an outputs file that is missing', ['--outputs', '/nonexistent/outputs.json']],
    ['a file that is not an outputs file', ['--outputs', 'tsconfig.json']],
    ['an option that does not exist', ['--fast']],
    [
      'a folder for the report that is missing',
      ['--outputs', outputsFile, '--junit', '/nonexistent/report.xml'],
    ],
  ])('with %s ends with status 2 and one line', async (_, args) => {
    const run = await runConformance(args);
    expect([run.exitCode, run.stdout, run.xml]).toEqual([2, '', undefined]);
    expect(run.stderr).toMatch(/^conformance: [^\n]+\n$/);
  });
});
