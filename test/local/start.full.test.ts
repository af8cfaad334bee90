import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { openDataDirectory } from '../../local/data-directory.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import type { Checkpoints } from '../../local/event-source/checkpoints.ts';
import { makePace } from '../../local/event-source/event-source.ts';
import { makeServiceClient, STREAMS } from '../../local/event-source/service-client.ts';
import { makeStreamsApi } from '../../local/event-source/shard-reader.ts';
import { startStreamSource } from '../../local/event-source/start-event-sources.ts';
import { makeClosers } from '../../local/lifecycle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until, waitFor } from '../until.ts';
import {
  killLeftovers,
  processesWith,
  runMain,
  type Summary,
  startMain,
  startWithNpm,
  untilNoProcessWith,
} from './support/run-main.ts';
import { STREAM_MAPPING } from './support/template-fixture.ts';

const scratch = temporaryFolder('start-test');
afterEach(killLeftovers);

const oneLine = (text: string) => text.trim().split('\n').length === 1;

/** What other users could read or enter, except the build: CDK copies it with its permissions. */
function readableByOthers(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(names).toContain(join('logs', 'dynamodb-local.log'));
  return ['.', ...names.filter((name) => !name.startsWith('cdk.out'))].filter(
    (name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0,
  );
}

/** How DynamoDB Local appears in the process list. */
const engineOf = ({ dynamodbEndpoint }: Summary) => `-port ${new URL(dynamodbEndpoint).port} `;

/** A cold function on a machine that is busy may pass its deadline; with one key no second lead is made. */
async function submit({ ingestUrl, demo }: Summary, key: string): Promise<{ submission_id: string }> {
  const send = async () => {
    const response = await fetch(`${ingestUrl}/api/v1/ingest`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${demo.serverToken}`,
        'content-type': 'application/json',
        'x-svc-idempotency-key': key,
      },
      body: '{"email":"ada@example.com"}',
    });
    return { status: response.status, body: (await response.json()) as { submission_id: string } };
  };
  const { status, body } = await until(send, (response) => response.status === 202);
  expect(status).toBe(202);
  return body;
}

/** The demo owner's ID token, by the sign-in that works locally. */
async function signIn({ cognitoEndpoint, outputsFile, demo }: Summary): Promise<string> {
  const outputs = JSON.parse(readFileSync(outputsFile, 'utf8'))['LeadIngest-dev'];
  const response = await fetch(cognitoEndpoint, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
    body: JSON.stringify({
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: outputs.UserPoolClientId,
      AuthParameters: { USERNAME: demo.ownerEmail, PASSWORD: demo.ownerPassword },
    }),
  });
  const { AuthenticationResult } = (await response.json()) as { AuthenticationResult: { IdToken: string } };
  return AuthenticationResult.IdToken;
}

function askSettings({ settingsUrl }: Summary, token: string): Promise<Response> {
  return fetch(`${settingsUrl}/settings/workspace`, { headers: { authorization: `Bearer ${token}` } });
}

describe('a start that fails says why in one line, and exits with 1', () => {
  test.each([
    [['--prot', '1'], "unknown option '--prot'"],
    [['--port'], "option '--port <n>' argument missing"],
    [['--port', '65536'], 'Use a number from 0 to 65535.'],
    [['--data', ''], 'Name a folder.'],
    [['--ephemeral', '--data', 'x'], 'cannot be combined with --data'],
    [['extra'], 'too many arguments'],
  ])('options %j', async (args, complaint) => {
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toContain(complaint);
  });

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runMain(['--ephemeral', '--port', String(port)]);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `error: Port ${port} is in use. Choose another with --port, or use --port 0 for any free port.\n`,
    );
  });

  test.each([
    ['no Java', undefined, /needs Java, but no java command was found\. Install Java 17 or newer/],
    ['a Java that is too old', '11.0.2', /newer version of Java than 11\. Install Java 17/],
  ])('%s', async (_, version, complaint) => {
    const bin = mkdtempSync(join(scratch, 'bin-'));
    if (version !== undefined) {
      const program = `#!/bin/sh\necho 'openjdk version "${version}" 2019-01-15' >&2\n`;
      writeFileSync(join(bin, 'java'), program, { mode: 0o755 });
    }
    const PATH = version === undefined ? bin : `${bin}:/bin:/usr/bin`;
    const { code, stderr } = await runMain(['--ephemeral', '--port', '0'], { PATH });
    expect({ code, oneLine: oneLine(stderr) }).toEqual({ code: 1, oneLine: true });
    expect(stderr).toMatch(complaint);
  });

  test('a data folder that is a file', async () => {
    const file = join(scratch, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await runMain(['--data', file, '--port', '0']);
    expect({ code, oneLine: oneLine(stderr) }).toEqual({ code: 1, oneLine: true });
    expect(stderr).toContain(`Cannot use ${file}`);
  });
});

test('--help explains the options and exits with 0', async () => {
  const { code, stdout } = await runMain(['--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('--allow-loopback-destinations');
});

test('a stack that cannot be synthesized: its error is shown, and DynamoDB Local is not left running', async () => {
  const data = join(scratch, 'broken');
  const sabotage = join(scratch, 'sabotage.cjs');
  writeFileSync(
    sabotage,
    `if (process.argv[1]?.endsWith('lead-ingest.ts')) throw new Error('the stack is broken');`,
  );
  const { code, stderr } = await runMain(['--data', data, '--port', '0'], {
    NODE_OPTIONS: `--require ${sabotage}`,
  });
  expect(code).toBe(1);
  expect(stderr).toContain('The stack could not be synthesized:');
  expect(stderr).toContain('the stack is broken');
  expect(processesWith(data)).toEqual([]);
});

test('kept data: locked while in use, available again after SIGTERM, and nothing keeps running after SIGKILL', async () => {
  const data = join(scratch, 'kept');
  const first = await startMain(['--data', data]);
  const accepted = await submit(first.summary, 'the-same-key');
  expect(readableByOthers(data)).toEqual([]);

  const second = await runMain(['--data', data, '--port', '0']);
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('Another npm start is using') });
  expect(oneLine(second.stderr)).toBe(true);

  first.child.kill('SIGTERM');
  const { code, stdout } = await first.ended;
  expect({ code, oneLine: oneLine(stdout) }).toEqual({ code: 0, oneLine: true });
  expect(processesWith(engineOf(first.summary))).toEqual([]);
  expect(processesWith(data)).toEqual([]);

  const third = await startMain(['--data', data]);
  expect(third.summary.demo).toEqual(first.summary.demo);
  // The key's first lead is in the database, so this also shows that the lead is.
  expect(await submit(third.summary, 'the-same-key')).toEqual(accepted);
  expect((await askSettings(third.summary, await signIn(third.summary))).status).toBe(200);

  third.child.kill('SIGKILL');
  await third.ended;
  await untilNoProcessWith(engineOf(third.summary));
  await untilNoProcessWith(data);
});

test('an ephemeral stack writes an outputs file like that of cdk deploy, and leaves nothing behind', async () => {
  const { child, ended, summary } = await startMain(['--ephemeral']);
  expect(JSON.parse(readFileSync(summary.outputsFile, 'utf8'))).toEqual({
    'LeadIngest-dev': expect.objectContaining({
      Stage: 'dev',
      IngestUrl: summary.ingestUrl,
      LeadsTable: 'LeadIngest-dev-Leads',
      LocalDynamoDbEndpoint: summary.dynamodbEndpoint,
      LocalSqsEndpoint: summary.sqsEndpoint,
      EnrichmentQueueUrl: expect.stringMatching(`^${summary.sqsEndpoint}/`),
      SettingsUrl: summary.settingsUrl,
      SourcesUrl: summary.sourcesUrl,
      ConsoleUrl: summary.consoleUrl,
      UserPoolId: expect.stringMatching(/^us-east-1_\w+$/),
      UserPoolClientId: expect.stringMatching(/^[a-z0-9]{26}$/),
      LocalCognitoEndpoint: summary.cognitoEndpoint,
    }),
  });
  expect(readableByOthers(dirname(summary.outputsFile))).toEqual([]);
  expect((await askSettings(summary, 'nonsense')).status).toBe(401);
  expect((await askSettings(summary, await signIn(summary))).status).toBe(200);
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
  expect(existsSync(dirname(summary.outputsFile))).toBe(false);
  expect(processesWith(engineOf(summary))).toEqual([]);
});

/** npm first prints what it runs. */
const afterNpm = (banner: string) => banner.replace(/^(\s*>.*\n)+/, '');

test('npm start shows where to sign in, then lines that can be pasted into bash; killing npm ends everything', async () => {
  const data = join(scratch, 'with-npm');
  const { child, ended, banner } = await startWithNpm(['--data', data]);
  const [, address = '', email, password] =
    /^\s*Open (\S+) and sign in as (\S+) with the password (\S+)\n/.exec(afterNpm(banner)) ?? [];
  expect((await fetch(address)).headers.get('content-type')).toBe('text/html');
  const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
  expect({ email, password }).toEqual({ email: demo.ownerEmail, password: demo.ownerPassword });
  const lines = banner.split('\n').filter((line) => line.startsWith('  '));
  const { stdout } = await promisify(execFile)('bash', ['-c', lines.join('\n')]);
  expect(stdout.match(/HTTP\/1\.1 202 Accepted/g)).toHaveLength(2);
  // The owner signs in and sees the workspace.
  expect(stdout.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1);
  child.kill('SIGKILL');
  await ended;
  await untilNoProcessWith(data);
});

describe('kept data', () => {
  const folder = temporaryFolder('kept-data');

  const TABLE = { TableName: 'Streamed' };

  async function withEngine<Result>(work: (engine: DynamoDbLocal) => Promise<Result>): Promise<Result> {
    const closers = makeClosers();
    try {
      return await work(await startDynamoDbLocal(await openDataDirectory(folder, closers), closers));
    } finally {
      await closers.close();
    }
  }

  /** Follows the stream until so many records have arrived. */
  async function read(
    { client, endpoint }: DynamoDbLocal,
    checkpoints: Checkpoints | undefined,
    count: number,
  ) {
    const { Table } = await client.send(new DescribeTableCommand(TABLE));
    const streamsClient = makeServiceClient(STREAMS, endpoint);
    const streams = makeStreamsApi(streamsClient);
    const seen: unknown[] = [];
    const source = await startStreamSource(
      { ...STREAM_MAPPING, streamArn: Table?.LatestStreamArn as string },
      {
        streams,
        checkpoints,
        pace: makePace(),
        print: () => undefined,
        async invoke(event) {
          const { Records } = JSON.parse(event) as DynamoDBStreamEvent;
          seen.push(...Records.map(({ dynamodb }) => dynamodb?.Keys?.id?.S));
          return 'null';
        },
      },
    );
    await waitFor(() => seen.length >= count);
    await source.stop();
    streamsClient.destroy();
    return seen;
  }

  test('the log of writes does not keep growing', async () => {
    const bytes = await withEngine(async ({ client }) => {
      await client.send(
        new CreateTableCommand({
          TableName: 'Unread',
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        }),
      );
      for (let written = 0; written < 3_000; written += 25) {
        const requests = Array.from({ length: 25 }, (_, index) => ({
          PutRequest: { Item: { id: { S: `${written + index}` }, text: { S: 'x'.repeat(1_000) } } },
        }));
        await client.send(new BatchWriteItemCommand({ RequestItems: { Unread: requests } }));
      }
      const [log = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.db-wal'),
      );
      return statSync(join(folder, log)).size;
    });
    // It would have 19 MB.
    expect(bytes).toBeLessThan(10_000_000);
  });

  test('a kept stream is read on after the last record that was delivered, or else from its beginning', async () => {
    let position: string | undefined;
    const checkpoints: Checkpoints = {
      find: () => position,
      note: (_mapping, _shardId, last) => {
        position = last;
      },
    };
    const put = ({ client }: DynamoDbLocal, id: string) =>
      client.send(new PutItemCommand({ ...TABLE, Item: { id: { S: id } } }));
    await withEngine(async (engine) => {
      await engine.client.send(
        new CreateTableCommand({
          ...TABLE,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
          StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
        }),
      );
      await put(engine, 'before');
      expect(await read(engine, checkpoints, 1)).toEqual(['before']);
      await put(engine, 'while nobody read');
    });
    await withEngine(async (engine) => {
      await put(engine, 'after');
      // Queues do not survive a restart, so what was in them is read again.
      const all = ['before', 'while nobody read', 'after'];
      expect(await read(engine, undefined, 3)).toEqual(all);
      expect(await read(engine, checkpoints, 2)).toEqual(all.slice(1));
      const unknown: Checkpoints = { find: () => '1', note: () => undefined };
      expect(await read(engine, unknown, 3)).toEqual(all);
    });
  });
});
