import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { localStack } from '../local-stack.ts';
import { post } from './support/test-gateway.ts';

const { output } = localStack();
const dynamoDb = output(OUTPUTS.localDynamoDbEndpoint);
const sqs = output(OUTPUTS.localSqsEndpoint);

describe('nothing listens on an address other than 127.0.0.1', () => {
  /** Linux takes all of 127.0.0.0/8 for itself, so this also works without a network. */
  const others = [
    '127.0.0.2',
    ...Object.values(networkInterfaces())
      .flatMap((addresses = []) => addresses)
      .filter(({ address, scopeid }) => address !== '127.0.0.1' && !scopeid)
      .map(({ address }) => address),
  ];

  async function reachableAt(port: number): Promise<string[]> {
    const tried = others.map(async (address) => {
      const socket = connect(port, address);
      const reached = await once(socket, 'connect').then(
        () => [address],
        () => [],
      );
      socket.destroy();
      return reached;
    });
    return (await Promise.all(tried)).flat();
  }

  test.each([
    ['DynamoDB', dynamoDb],
    ['SQS', sqs],
    ['Cognito', output(OUTPUTS.localCognitoEndpoint)],
    ['the ingest API', output(OUTPUTS.ingestUrl)],
    ['the settings API', output(OUTPUTS.settingsUrl)],
    ['the API of Surface 1c', output(OUTPUTS.sourcesUrl)],
    ['the console', output(OUTPUTS.consoleUrl)],
  ])('%s', async (_, address) => {
    expect(await reachableAt(Number(new URL(address).port))).toEqual([]);
  });

  test('a server that does is found', async () => {
    const open = createServer().listen(0);
    await once(open, 'listening');
    const address = open.address();
    expect(typeof address === 'object' && (await reachableAt(address?.port ?? 0))).not.toEqual([]);
    open.close();
  });
});

describe('web pages cannot use', () => {
  const signed = (service: string, target: string) => ({
    authorization: `AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': target,
  });
  const ofDynamoDb = signed('dynamodb', 'DynamoDB_20120810.ListTables');
  const ofSqs = signed('sqs', 'AmazonSQS.ListQueues');
  const ofCognito = signed('cognito-idp', 'AWSCognitoIdentityProviderService.AdminGetUser');

  test('DynamoDB from another origin: CORS allows neither the request nor reading the response', async () => {
    const origin = 'https://example.com';
    const response = await post(dynamoDb, { ...ofDynamoDb, origin });
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await fetch(dynamoDb, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(null);
  });

  test('SQS from another origin', async () => {
    expect(await post(sqs, { ...ofSqs, origin: 'https://example.com' })).toMatchObject({ status: 403 });
  });

  test('SQS with a GET, which an image sends without an origin', async () => {
    expect((await fetch(`${sqs}/?Action=ListQueues`)).status).toBe(403);
  });

  /** What a program gets, and what a page gets whose name was made to resolve to this machine. */
  test.each([
    ['DynamoDB', dynamoDb, ofDynamoDb, 200, 404],
    ['SQS', sqs, ofSqs, 200, 403],
    ['Cognito', output(OUTPUTS.localCognitoEndpoint), ofCognito, 400, 403],
    ['the ingest API', `${output(OUTPUTS.ingestUrl)}/api/v1/ingest`, {}, 200, 403],
    ['the settings API', `${output(OUTPUTS.settingsUrl)}/settings/forms`, {}, 401, 403],
    ['the console', `${output(OUTPUTS.consoleUrl)}/settings/forms`, {}, 401, 403],
  ])('%s under a name that resolves to this machine', async (_, endpoint, headers, own, foreign) => {
    const { port } = new URL(endpoint);
    for (const host of [
      'rebound.example.com',
      `rebound.example.com:${port}`,
      `localhost.example.com:${port}`,
    ]) {
      expect(await post(endpoint, { ...headers, host })).toMatchObject({ status: foreign });
    }
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, 'localhost:9000']) {
      expect(await post(endpoint, { ...headers, host })).toMatchObject({ status: own });
    }
    expect(await post(endpoint, headers)).toMatchObject({ status: own });
  });
});
