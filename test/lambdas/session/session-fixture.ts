import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { makeCognitoTokens } from '#session/cognito-tokens.ts';
import { makeSession } from '#session/handler.ts';

export const REFRESH_TOKEN = 'eyJjdHkiOiJKV1Qi.key_1.iv-1.secret-part.tag';
export const TOKENS = { IdToken: 'the.id.token', AccessToken: 'the.access.token' };
export const FROM_CONSOLE = { 'sec-fetch-site': 'same-origin', 'x-lead-ingest-console': '1' };
export const COOKIE = `__Host-session=${REFRESH_TOKEN}`;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

interface Call {
  readonly operation: string;
  readonly body: unknown;
}

/** The function, and a server that responds like Cognito and remembers what it was asked. */
export function openSessionFixture() {
  const calls: Call[] = [];
  const lines: string[] = [];
  let endpoint: string;
  const cognito = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    calls.push({ operation, body: await json(request) });
    const { status, body } = fixture.replies[operation] ?? fixture.reply;
    response.writeHead(status).end(JSON.stringify(body));
  });

  beforeAll(async () => {
    cognito.listen(0, '127.0.0.1');
    await once(cognito, 'listening');
    endpoint = `http://127.0.0.1:${(cognito.address() as AddressInfo).port}`;
  });
  afterAll(() => void cognito.close());
  beforeEach(() => {
    calls.length = 0;
    lines.length = 0;
    fixture.reply = { status: 200, body: { AuthenticationResult: TOKENS } };
    fixture.replies = {};
  });

  function request(method: string, parts: Partial<APIGatewayProxyEventV2> = {}, address = endpoint) {
    const tokens = makeCognitoTokens({ endpoint: address, clientId: 'client-1', timeoutMilliseconds: 5_000 });
    const signOuts = {
      /** The call that the function makes with its own permission, recorded, with a response like the others. */
      async signOutEverywhere(email: string) {
        calls.push({ operation: 'AdminUserGlobalSignOut', body: email });
        if (fixture.replies.AdminUserGlobalSignOut) throw new Error('the sign-out failed');
      },
    };
    const handler = makeSession({ cognito: tokens, signOuts, write: (line) => lines.push(line) });
    const event = {
      headers: FROM_CONSOLE,
      requestContext: { http: { method } },
      isBase64Encoded: false,
      ...parts,
    };
    return handler(event as APIGatewayProxyEventV2);
  }

  const fixture = {
    calls,
    lines,
    reply: {} as Reply,
    /** For one operation, in place of `reply`. */
    replies: {} as Record<string, Reply>,
    request,
    fails(status: number, __type: string) {
      fixture.reply = { status, body: { __type, message: 'in the words of Cognito' } };
    },
    bodyOf: (answer: { body?: string }) => JSON.parse(answer.body ?? ''),
  };
  return fixture;
}
