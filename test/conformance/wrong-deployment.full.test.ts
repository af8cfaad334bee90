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
import { startBusyAccount, startWrongDeployment } from './wrong-deployment.ts';

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
  let run: Run;
  let echoed: readonly string[];
  let interrupted: Run;
  let results: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const { outputsFile: wrong, stop, ...deployment } = await startWrongDeployment();
    const interruption = runConformance(['--outputs', outputsFile], { interruptAt: 'running the rows' });
    run = await runConformance(['--outputs', wrong, '--quick']).finally(stop);
    interrupted = await interruption;
    echoed = deployment.echoed;
    results = new Map(testCases(run).map(({ name, result }) => [name, result]));
  }, 300_000);

  test('fails with exit status 1', () => {
    expect(run.exitCode).toBe(1);
  });

  test('that accepts everything fails the causes of rejection and the rows that look for the lead', () => {
    for (const name of [
      'Missing token',
      'Form inactive',
      'Oversized body: 131,073 bytes',
      'Suspended workspace',
    ]) {
      expect([name, results.get(`${name} (Surface 1a)`)]).toEqual([name, 'failure']);
    }
    expect(results.get('Scores each lead automatically (Surface 1a)')).toBe('failure');
    expect(results.get('Receives leads (Surface 1a)')).toBe('passed');
  });

  test('that rejects everything fails the accepted rows, and the causes because no reason is recorded', () => {
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
    const { stdout, xml = '' } = run;
    for (const name of [
      '2. No 401, 400 or 429 in the whole run',
      'A wrong signature gets 503',
      'Every request to /api/ingest/:slug returns 410 Gone, with any method',
    ]) {
      expect([name, results.get(name)]).toEqual([name, 'failure']);
    }
    expect(stdout).toContain('got 400');
    expect(echoed.join()).toMatch(SECRETS);
    expect(stdout + xml).not.toMatch(SECRETS);
  });

  test('with --quick, the rows that are left out say so', () => {
    const limits = testCases(run).filter(({ section }) => section === 'Limits');
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
