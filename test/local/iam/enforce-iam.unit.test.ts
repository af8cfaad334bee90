import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { callsThatNeed, readCallLog } from '#local/iam/call-log.ts';
import { CALL_LOG, enforceIam } from '#local/iam/enforce-iam.ts';
import { type Closers, makeClosers } from '#local/lifecycle.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { readIamTemplate } from '../support/iam-template.ts';
import { post } from '../support/test-gateway.ts';

const LEADS = 'arn:aws:dynamodb:us-east-1:000000000000:table/S-Leads';
const STATEMENTS = [
  { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:DeleteItem'], Resource: LEADS },
];
const KEY = { leadId: { S: 'secret-lead' }, part: { S: 'lead' } };

const scratch = temporaryFolder('iam');
let closers: Closers;
let logFolder: string;
let printed: string[];
let seen: { headers: IncomingMessage['headers']; body: string }[];
beforeEach(() => {
  closers = makeClosers();
  logFolder = mkdtempSync(join(scratch, 'log-'));
  printed = [];
  seen = [];
});
afterEach(() => closers.close());

/** An engine that always gives the same response. */
async function startEngine(): Promise<string> {
  const server = createServer(async (request, response) => {
    seen.push({ headers: request.headers, body: (await buffer(request)).toString() });
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'x-engine': 'yes' });
    response.end('{"Item":{"leadId":{"S":"secret-lead"}}}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closers.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(statements: readonly unknown[] = STATEMENTS) {
  const reader = readIamTemplate(statements);
  const engine = await startEngine();
  const print = (line: string) => void printed.push(line);
  const others = { ses: engine, eventBridge: engine, cognito: engine, lambda: engine };
  const endpoints = { dynamoDb: engine, sqs: engine, ...others };
  const access = await enforceIam({ reader, endpoints, logFolder, print }, closers);
  const credentials = access.credentialsOf(reader.arn('Fn'));
  const common = { region: 'us-east-1', credentials, endpoint: access.dynamoDb, maxAttempts: 1 };
  const dynamoDb = new DynamoDBClient(common);
  const sqs = new SQSClient(common);
  closers.defer(() => {
    dynamoDb.destroy();
    sqs.destroy();
  });
  return { access, reader, dynamoDb, sqs };
}

const signedBy = (accessKeyId: string, target: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request`,
  'x-amz-target': target,
});

test.each([
  ['origin', 'https://example.com'],
  ['host', 'rebound.example.com'],
])('a web page that knows the access key of a role reaches no engine: %s %s', async (header, value) => {
  const { access, reader } = await start();
  const { accessKeyId } = access.credentialsOf(reader.arn('Fn'));
  const headers = signedBy(accessKeyId, 'DynamoDB_20120810.GetItem');
  const body = JSON.stringify({ TableName: 'S-Leads', Key: KEY });
  expect(await post(access.dynamoDb, { ...headers, [header]: value }, body)).toMatchObject({ status: 403 });
  expect(seen).toEqual([]);
  expect(await post(access.dynamoDb, headers, body)).toMatchObject({ status: 200 });
});

const log = () => readCallLog(join(logFolder, CALL_LOG));

describe('a call that the role allows', () => {
  test('reaches the engine as it was sent, and its response comes back', async () => {
    const { dynamoDb } = await start();
    const command = new GetItemCommand({ TableName: 'S-Leads', Key: KEY });
    expect((await dynamoDb.send(command)).Item).toEqual({ leadId: { S: 'secret-lead' } });
    expect(seen).toHaveLength(1);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ TableName: 'S-Leads', Key: KEY });
    expect(seen[0]?.headers['x-amz-target']).toBe('DynamoDB_20120810.GetItem');
    expect(printed).toEqual([]);
  });

  test('is recorded once, without its content, and shows which grants are needed', async () => {
    const { dynamoDb } = await start();
    for (let i = 0; i < 3; i += 1)
      await dynamoDb.send(new GetItemCommand({ TableName: 'S-Leads', Key: KEY }));
    const { grants, calls } = log();
    expect(calls).toEqual([
      {
        functionName: 'S-Fn',
        action: 'dynamodb:GetItem',
        resource: LEADS,
        allowed: true,
        allowedBy: [{ action: 'dynamodb:GetItem', resource: LEADS }],
        byResource: false,
      },
    ]);
    expect(readFileSync(join(logFolder, CALL_LOG), 'utf8')).not.toContain('secret-lead');
    const needed = grants.map((grant) => [grant.action, callsThatNeed(grant, calls).length]);
    expect(needed).toEqual([
      ['dynamodb:GetItem', 1],
      ['dynamodb:DeleteItem', 0],
    ]);
  });

  test('needs none of two grants that both allow it', async () => {
    const { dynamoDb } = await start([
      ...STATEMENTS,
      { Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' },
    ]);
    await dynamoDb.send(new GetItemCommand({ TableName: 'S-Leads', Key: KEY }));
    const { grants, calls } = log();
    expect(grants.flatMap((grant) => callsThatNeed(grant, calls))).toEqual([]);
  });
});

describe('a call that the role does not allow', () => {
  test('of DynamoDB is denied as AWS denies it, printed once, and the engine never sees it', async () => {
    const { dynamoDb } = await start();
    for (let i = 0; i < 3; i += 1) {
      const denied = dynamoDb.send(new PutItemCommand({ TableName: 'S-Leads', Item: KEY }));
      await expect(denied).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: `User: arn:aws:sts::000000000000:assumed-role/S-FnRole/S-Fn is not authorized to perform: dynamodb:PutItem on resource: ${LEADS} because no identity-based policy allows the dynamodb:PutItem action`,
        $metadata: { httpStatusCode: 400 },
      });
    }
    expect(seen).toEqual([]);
    expect(printed).toEqual([
      `IAM denies dynamodb:PutItem: the role of S-Fn lacks dynamodb:PutItem on ${LEADS}`,
    ]);
  });

  test('of SQS likewise', async () => {
    const { sqs } = await start();
    const QueueUrl = 'http://x/000000000000/S-Plain';
    const denied = sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    await expect(denied).rejects.toMatchObject({
      name: expect.stringMatching(/^AccessDenied/),
      message: expect.stringContaining(
        'not authorized to perform: sqs:SendMessage on resource: arn:aws:sqs:',
      ),
      $metadata: { httpStatusCode: 403 },
    });
  });
});

describe('calls that cannot be evaluated are denied', () => {
  test('a condition with an unknown operator', async () => {
    const Condition = { StringSounds: { 'dynamodb:Select': 'x' } };
    const { dynamoDb } = await start([{ Effect: 'Allow', Action: '*', Resource: '*', Condition }]);
    const denied = dynamoDb.send(new GetItemCommand({ TableName: 'S-Leads', Key: KEY }));
    await expect(denied).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(printed).toEqual([
      'IAM cannot evaluate a call of S-Fn: the condition operator StringSounds is not supported',
    ]);
  });

  test.each([
    ['an unknown operation', 'DynamoDB_20120810.ExecuteStatement', 'FnRole', 'Statement are not known'],
    ['an unknown service', 'secretsmanager.GetSecretValue', 'FnRole', 'secretsmanager is not supported'],
    ['an unknown access key', 'DynamoDB_20120810.GetItem', 'local', 'no function signs with local'],
  ])('%s', async (_, target, accessKeyId, message) => {
    const { access } = await start();
    const { status, body } = await post(access.dynamoDb, signedBy(accessKeyId, target));
    expect([status, JSON.parse(body)]).toEqual([
      400,
      {
        __type: 'com.amazon.coral.service#AccessDeniedException',
        Message: expect.stringContaining(message),
      },
    ]);
    expect(seen).toEqual([]);
  });

  test('two functions with one role', async () => {
    const { access, reader } = await start();
    expect(() => access.credentialsOf(reader.arn('Twin'))).toThrow('S-Fn and S-Twin share a role');
  });
});
