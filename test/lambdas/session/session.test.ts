import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { makeCognitoTokens } from '#session/cognito-tokens.ts';
import { makeSession } from '#session/handler.ts';

const REFRESH_TOKEN = 'eyJjdHkiOiJKV1Qi.key_1.iv-1.secret-part.tag';
const TOKENS = { IdToken: 'the.id.token', AccessToken: 'the.access.token' };
const FROM_CONSOLE = { 'sec-fetch-site': 'same-origin', 'x-lead-ingest-console': '1' };
const COOKIE = `__Host-session=${REFRESH_TOKEN}`;

interface Call {
  readonly operation: string;
  readonly body: unknown;
}

/** Answers like Cognito, and remembers what it was asked. */
let reply: { status: number; body: unknown };
const calls: Call[] = [];
const cognito = createServer(async (request, response) => {
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  calls.push({ operation, body: await json(request) });
  response.writeHead(reply.status).end(JSON.stringify(reply.body));
});
let endpoint: string;
const lines: string[] = [];

beforeAll(async () => {
  cognito.listen(0, '127.0.0.1');
  await once(cognito, 'listening');
  endpoint = `http://127.0.0.1:${(cognito.address() as AddressInfo).port}`;
});
afterAll(() => void cognito.close());
beforeEach(() => {
  calls.length = 0;
  lines.length = 0;
  reply = { status: 200, body: { AuthenticationResult: TOKENS } };
});

const fails = (status: number, __type: string) => {
  reply = { status, body: { __type, message: 'in the words of Cognito' } };
};

function request(method: string, parts: Partial<APIGatewayProxyEventV2> = {}, address = endpoint) {
  const tokens = makeCognitoTokens({ endpoint: address, clientId: 'client-1', timeoutMilliseconds: 5_000 });
  const handler = makeSession({ cognito: tokens, write: (line) => lines.push(line) });
  const event = {
    headers: FROM_CONSOLE,
    requestContext: { http: { method } },
    isBase64Encoded: false,
    ...parts,
  };
  return handler(event as APIGatewayProxyEventV2);
}
const bodyOf = (answer: { body?: string }) => JSON.parse(answer.body ?? '');
const put = (refreshToken: unknown) => request('PUT', { body: JSON.stringify({ refreshToken }) });

describe.each(['PUT', 'POST', 'DELETE'])('%s', (method) => {
  const sent = { cookies: [COOKIE], body: JSON.stringify({ refreshToken: REFRESH_TOKEN }) };

  test.each([
    ['another site', { ...FROM_CONSOLE, 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { ...FROM_CONSOLE, 'sec-fetch-site': 'same-site' }],
    ['the address bar', { ...FROM_CONSOLE, 'sec-fetch-site': 'none' }],
    ['a client that says nothing of its site', { 'x-lead-ingest-console': '1' }],
    ['a form, which cannot set a header', { 'sec-fetch-site': 'same-origin' }],
  ])('from %s is forbidden and reaches nothing', async (_, headers) => {
    const answer = await request(method, { ...sent, headers });
    expect(answer.statusCode).toBe(403);
    expect(answer.cookies).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test('answers are never cached, and its log holds no token', async () => {
    const answer = await request(method, sent);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'INFO', code: 'session.request', method, status: answer.statusCode },
    ]);
  });
});

test('other methods are not allowed', async () => {
  expect((await request('GET', { cookies: [COOKIE] })).statusCode).toBe(405);
});

describe('storing a refresh token', () => {
  test('proves it at Cognito, sets the cookie for 30 days and returns new tokens', async () => {
    const answer = await put(REFRESH_TOKEN);
    expect(answer.statusCode).toBe(200);
    expect(bodyOf(answer)).toEqual({ idToken: 'the.id.token', accessToken: 'the.access.token' });
    expect(answer.cookies).toEqual([`${COOKIE}; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Strict`]);
    expect(calls).toEqual([
      {
        operation: 'InitiateAuth',
        body: {
          ClientId: 'client-1',
          AuthFlow: 'REFRESH_TOKEN_AUTH',
          AuthParameters: { REFRESH_TOKEN },
        },
      },
    ]);
  });

  test('also in base64, as API Gateway passes other content types', async () => {
    const body = Buffer.from(JSON.stringify({ refreshToken: REFRESH_TOKEN })).toString('base64');
    expect((await request('PUT', { body, isBase64Encoded: true })).statusCode).toBe(200);
  });

  test('one that Cognito refuses sets no cookie', async () => {
    fails(400, 'NotAuthorizedException');
    const answer = await put(REFRESH_TOKEN);
    expect(answer.statusCode).toBe(401);
    expect(answer.cookies).toBeUndefined();
  });

  test.each([
    undefined,
    42,
    '',
    'two.parts',
    'a.b.c; Domain=evil.example',
    'a.b.c\r\nSet-Cookie: x=y',
    `a.b.${'c'.repeat(4_000)}`,
  ])('%j is rejected without asking Cognito', async (token) => {
    expect((await put(token)).statusCode).toBe(400);
    expect(calls).toEqual([]);
  });

  test.each(['', 'no JSON', 'null', '[]'])('a body of %j is rejected', async (body) => {
    expect((await request('PUT', { body })).statusCode).toBe(400);
  });
});

describe('resuming a session', () => {
  test('exchanges the cookie for new tokens and leaves it as it is', async () => {
    const answer = await request('POST', { cookies: ['theme=dark', COOKIE] });
    expect(bodyOf(answer)).toEqual({ idToken: 'the.id.token', accessToken: 'the.access.token' });
    expect(answer.cookies).toBeUndefined();
  });

  test.each([undefined, [], ['session=x.y.z'], ['__Host-session=nothing']])(
    'with the cookies %j needs no call',
    async (cookies) => {
      const answer = await request('POST', cookies && { cookies });
      expect(answer.statusCode).toBe(401);
      expect(calls).toEqual([]);
    },
  );

  test.each(['NotAuthorizedException', 'UserNotFoundException', 'PasswordResetRequiredException'])(
    'ends and clears the cookie on %s',
    async (type) => {
      fails(400, type);
      const answer = await request('POST', { cookies: [COOKIE] });
      expect(answer.statusCode).toBe(401);
      expect(answer.cookies).toEqual([
        '__Host-session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict',
      ]);
    },
  );

  test.each([
    [400, 'TooManyRequestsException'],
    [400, 'ResourceNotFoundException'],
    [500, 'InternalErrorException'],
    [200, 'no tokens'],
  ])('keeps the cookie when Cognito answers %i %s', async (status, type) => {
    fails(status, type);
    const answer = await request('POST', { cookies: [COOKIE] });
    expect(answer.statusCode).toBe(503);
    expect(answer.cookies).toBeUndefined();
    expect(lines.join()).toContain('session.cognito_failed');
    expect(lines.join()).not.toContain(REFRESH_TOKEN);
  });

  test('keeps the cookie when Cognito is unreachable', async () => {
    const answer = await request('POST', { cookies: [COOKIE] }, 'http://127.0.0.1:1');
    expect(answer.statusCode).toBe(503);
    expect(answer.cookies).toBeUndefined();
  });
});

describe('ending a session', () => {
  const cleared = ['__Host-session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict'];

  test('revokes the token and clears the cookie', async () => {
    reply = { status: 200, body: {} };
    const answer = await request('DELETE', { cookies: [COOKIE] });
    expect(answer).toMatchObject({ statusCode: 204, cookies: cleared });
    expect(calls).toEqual([
      { operation: 'RevokeToken', body: { ClientId: 'client-1', Token: REFRESH_TOKEN } },
    ]);
  });

  test.each([
    [400, 'NotAuthorizedException'],
    [500, 'InternalErrorException'],
  ])('clears the cookie even if Cognito answers %i %s', async (status, type) => {
    fails(status, type);
    expect(await request('DELETE', { cookies: [COOKIE] })).toMatchObject({
      statusCode: 204,
      cookies: cleared,
    });
  });
});
