import { randomBytes } from 'node:crypto';
import { CognitoIdentityProviderClient, ListUsersCommand } from '@aws-sdk/client-cognito-identity-provider';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readStackOutputs } from '../../bin/operator/stack-outputs.ts';
import { GENTLE_REQUESTS } from '../../conformance/main.ts';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { makeAdministration } from '../../lambdas/workspaces/administration.ts';
import { localStack } from '../local-stack.ts';
import { waitFor } from '../until.ts';
import { failedRows, type Run, runConformance, SECRETS, testCases } from './run-conformance.ts';
import {
  acceptOrReject,
  type RespondWrongly,
  repeatEverything,
  startBusyAccount,
  startWrongDeployment,
} from './wrong-deployment.ts';

const { outputsFile, output, tables, newClient } = localStack();

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

describe('a wrong deployment', () => {
  const WRONG: Readonly<Record<string, RespondWrongly>> = { acceptOrReject, repeatEverything };
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
    const results = resultsOf('acceptOrReject');
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
    const results = resultsOf('acceptOrReject');
    for (const name of [
      'Receives leads',
      '5. Success is 202 with the submission_id',
      'Form not found: unknown slug',
      'Form inactive',
    ]) {
      expect([name, results.get(`${name} (Surface 1b)`)]).toEqual([name, 'failure']);
    }
  });

  test('that echoes requests with 400 fails, and nothing it echoes is shown', () => {
    const { stdout, xml = '' } = runs.get('repeatEverything') as Run;
    expect(resultsOf('repeatEverything').get('2. No 401, 400 or 429 in the whole run')).toBe('failure');
    expect(stdout).toContain('got 400');
    expect(stdout + xml).not.toMatch(SECRETS);
  });

  test('with --quick, the rows that are left out say so', () => {
    const limits = testCases(runs.get('acceptOrReject') as Run).filter(({ section }) => section === 'Limits');
    expect(limits).toContainEqual(
      expect.objectContaining({ result: 'skipped', message: 'left out by --quick' }),
    );
  });

  test('when interrupted, says so', () => {
    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.stdout).toContain('skipped: interrupted');
  });
});

describe('a busy account', () => {
  let account: Awaited<ReturnType<typeof startBusyAccount>>;
  beforeEach(async () => {
    account = await startBusyAccount({ room: GENTLE_REQUESTS });
  });
  afterEach(() => account.stop());

  // burst.unit.test.ts shows that the rows about the per-minute limit, which --quick leaves out, take turns as well.
  test('with --gentle every row passes with little Lambda concurrency, and no request is refused', async () => {
    const run = await runConformance(['--outputs', account.outputsFile, '--quick', '--gentle']);
    expect(failedRows(run)).toEqual([]);
    expect(run.exitCode).toBe(0);
    expect(account.seen).toEqual({ atOnce: 0, most: GENTLE_REQUESTS, refused: 0 });
  }, 600_000);

  test('refuses requests beyond that', async () => {
    const { ingestUrl } = readStackOutputs(account.outputsFile);
    const submit = () => fetch(`${ingestUrl}/api/v1/ingest`, { method: 'POST', body: '{}' });
    await Promise.all(Array.from({ length: 10 * GENTLE_REQUESTS }, submit));
    expect(account.seen.refused).toBeGreaterThan(0);
  });
});

test('no workspace and no owner is left behind, not even by a wrong deployment or an interrupted run', async () => {
  // Another file may run the suite on the same stack, and removes what is its own.
  await waitFor(async () => (await leftBehind()).length === 0);
}, 300_000);

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
