import { afterAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { InvocationError } from '../../local/environment.ts';
import { makeHttpApi } from '../../local/gateway/http-api.ts';
import { TemplateReader } from '../../local/template.ts';
import {
  type Behave,
  type Decide,
  OWNER,
  openTestSettings,
  settingsTemplate,
} from './support/settings-fixture.ts';

const settings = await openTestSettings();
afterAll(settings.close);
const token = 'some-token';

async function eventOf(path: string, init: RequestInit = {}) {
  const events = settings.serve();
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const response = await fetch(settings.url + path, { ...init, headers });
  return { event: events[0], response };
}

describe('the event, format 2.0,', () => {
  test('has the parts of the request, and no empty ones', async () => {
    const { event, response } = await eventOf('/settings/forms/f_1', { headers: { 'user-agent': 'test' } });
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /settings/forms/{formId}',
      rawPath: '/settings/forms/f_1',
      rawQueryString: '',
      headers: expect.objectContaining({
        authorization: `Bearer ${token}`,
        'user-agent': 'test',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
      }),
      pathParameters: { formId: 'f_1' },
      requestContext: {
        accountId: '000000000000',
        apiId: settings.cognito.reader.ref('SettingsApi'),
        authorizer: { lambda: { workspaceId: OWNER.workspaceId } },
        domainName: '127.0.0.1',
        domainPrefix: '127',
        http: {
          method: 'GET',
          path: '/settings/forms/f_1',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test',
        },
        requestId: response.headers.get('apigw-requestid'),
        routeKey: 'GET /settings/forms/{formId}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:/),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
  });

  test('joins repeated headers and parameters by commas, and lists cookies separately', async () => {
    const headers = new Headers([
      ['authorization', `Bearer ${token}`],
      ['X-Twice', 'a'],
      ['x-twice', 'b'],
      ['cookie', 'a=1; b=2'],
    ]);
    const events = settings.serve();
    await fetch(`${settings.url}/settings/forms?tag=a%20b&tag=c&one=%C3%A9&empty=`, { headers });
    expect(events[0]).toMatchObject({
      rawQueryString: 'tag=a%20b&tag=c&one=%C3%A9&empty=',
      queryStringParameters: { tag: 'a b,c', one: 'é', empty: '' },
      cookies: ['a=1', 'b=2'],
      headers: { 'x-twice': expect.stringMatching(/^a, ?b$/) },
    });
    expect(events[0]?.headers).not.toHaveProperty('cookie');
  });

  test.each([
    ['application/json', '{"é":1}', false],
    ['application/json; charset=utf-8', '{}', false],
    ['text/csv', 'a,b', false],
    ['application/octet-stream', 'bytes', true],
    ['application/x-www-form-urlencoded', 'a=1', true],
    ['application/json-patch+json', '[]', true],
  ])('has a body of type %s', async (contentType, body, isBase64Encoded) => {
    const headers = { 'content-type': contentType };
    const { event } = await eventOf('/settings/forms', { method: 'POST', headers, body });
    expect(event).toMatchObject({
      body: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
      isBase64Encoded,
    });
  });
});

describe('a request', () => {
  test.each([
    ['GET', '/settings'],
    ['GET', '/settings/forms//leads/export'],
    ['GET', '/settings/forms/f_1/leads'],
    ['GET', '/Settings/forms'],
    ['PUT', '/settings/forms'],
  ])('without a route, %s %s, gets a 404 with or without a token', async (method, path) => {
    const { event, response } = await eventOf(path, { method });
    expect(event).toBeUndefined();
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('{"message":"Not Found"}');
    expect((await fetch(settings.url + path, { method })).status).toBe(404);
  });

  test.each([
    ['10 MB and a byte', 10 * 1024 * 1024 + 1],
    ['more than Lambda takes', 7 * 1024 * 1024],
  ])('of %s is 413', async (_, bytes) => {
    const { event, response } = await eventOf('/settings/forms', { method: 'POST', body: 'x'.repeat(bytes) });
    expect(event).toBeUndefined();
    expect(response.status).toBe(413);
    expect(await response.text()).toBe('{"message":"Request Entity Too Large"}');
  });
});

describe('a response', () => {
  async function responseTo(behave: Behave) {
    settings.serve(behave);
    const response = await settings.get('/settings/forms', token);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      cookies: response.headers.getSetCookie(),
      body: await response.text(),
    };
  }

  test.each<[string, unknown, object]>([
    [
      'with status, headers and body is sent as it is',
      { statusCode: 409, headers: { 'Content-Type': 'application/problem+json' }, body: '{"a":1}' },
      { status: 409, type: 'application/problem+json', body: '{"a":1}' },
    ],
    [
      'in base64 is decoded',
      { statusCode: 200, body: Buffer.from('é').toString('base64'), isBase64Encoded: true },
      { status: 200, type: 'text/plain;charset=UTF-8', body: 'é' },
    ],
    ['may set cookies', { statusCode: 200, cookies: ['a=1', 'b=2'] }, { cookies: ['a=1', 'b=2'] }],
  ])('%s', async (_, result, expected) => {
    expect(await responseTo(() => result)).toMatchObject(expected);
  });

  test.each<[string, Behave]>([
    ['of an impossible status', () => ({ statusCode: 99 })],
    ['whose body is no text', () => ({ statusCode: 200, body: {} })],
    ['with a header that is none', () => ({ statusCode: 200, headers: { 'a b': 'c' } })],
    ['of a function that failed', () => Promise.reject(new InvocationError('crashed'))],
  ])('%s is 500', async (_, behave) => {
    expect(await responseTo(behave)).toMatchObject({
      status: 500,
      type: 'application/json',
      body: '{"message":"Internal Server Error"}',
    });
  });

  test('that takes too long is not waited for', async () => {
    const slow: Behave = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    expect(await responseTo(slow)).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
  });
});

test.each([
  ['a greedy default', 'Forms', { RouteKey: '$default' }],
  ['IAM authorization', 'Forms', { AuthorizationType: 'AWS_IAM' }],
  ['a JWT authorizer', 'Forms', { AuthorizationType: 'JWT' }],
  ['format 1.0', 'Integration', { PayloadFormatVersion: '1.0' }],
  ['a stage of another name', 'Stage', { StageName: 'dev' }],
  ['a token in the query', 'Authorizer', { IdentitySource: ['$request.querystring.token'] }],
  ['a cached authorizer', 'Authorizer', { AuthorizerResultTtlInSeconds: 300 }],
  ['an authorizer that returns policies', 'Authorizer', { EnableSimpleResponses: false }],
  ['an authorizer in format 1.0', 'Authorizer', { AuthorizerPayloadFormatVersion: '1.0' }],
])('%s fails at the start instead of behaving differently from AWS', (_, logicalId, change) => {
  const { Resources } = settingsTemplate();
  const changed = Resources[logicalId] as { Type: string; Properties: object };
  const reader = new TemplateReader(
    {
      Resources: {
        ...Resources,
        [logicalId]: { ...changed, Properties: { ...changed.Properties, ...change } },
      },
    },
    'S',
  );
  reader.setAttribute('Owners', 'ProviderURL', 'http://127.0.0.1:1/pool');
  const pools = { open: () => undefined, invoke: () => Promise.reject(new Error('never')) };
  expect(() => makeHttpApi(reader, pools)).toThrow(/supported|must have/);
});

describe('authorizer', () => {
  async function ask(
    decide: Decide | undefined,
    headers: Record<string, string> = { authorization: 'Bearer x' },
  ) {
    const events = settings.serve(undefined, decide);
    const response = await fetch(`${settings.url}/settings/forms/f_1?a=1`, { headers });
    return { events, status: response.status, text: await response.text() };
  }

  test('the authorizer sees the request without its body, in format 2.0', async () => {
    const asked: APIGatewayRequestAuthorizerEventV2[] = [];
    settings.serve(undefined, (event) => {
      asked.push(event);
      return { isAuthorized: true };
    });
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    await fetch(`${settings.url}/settings/forms?a=1`, { method: 'POST', headers, body: '{"name":"x"}' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      version: '2.0',
      type: 'REQUEST',
      routeArn: expect.stringMatching(
        /^arn:aws:execute-api:us-east-1:000000000000:\w+\/\$default\/POST\/settings\/forms$/,
      ),
      identitySource: ['Bearer x'],
      routeKey: 'POST /settings/forms',
      rawPath: '/settings/forms',
      rawQueryString: 'a=1',
      headers: { authorization: 'Bearer x' },
      queryStringParameters: { a: '1' },
      requestContext: { requestId: expect.any(String), routeKey: 'POST /settings/forms' },
    });
    expect(asked[0]).not.toHaveProperty('body');
    expect(asked[0]?.requestContext).not.toHaveProperty('authorizer');
  });

  test('what the authorizer found out reaches the function, as it is', async () => {
    const context = { workspaceId: 'ws_1', number: 1, list: ['a'] };
    const { events, status } = await ask(() => ({ isAuthorized: true, context }));
    expect(status).toBe(204);
    expect(events[0]?.requestContext.authorizer).toEqual({ lambda: context });
  });

  describe('no function runs', () => {
    test.each<[string, number, Decide]>([
      ['and the answer is 403 if the authorizer refuses', 403, () => ({ isAuthorized: false })],
      [
        'and the answer is 500 if the authorizer fails',
        500,
        () => Promise.reject(new InvocationError('crashed')),
      ],
      ['and the answer is 500 if it says nothing', 500, () => undefined],
      ['and the answer is 500 if it answers with text', 500, () => ({ isAuthorized: 'true' })],
      ['and the answer is 500 if its context is none', 500, () => ({ isAuthorized: true, context: 'ws_1' })],
    ])('%s', async (_, expected, decide) => {
      const { events, status, text } = await ask(decide);
      expect(status).toBe(expected);
      expect(text).toBe(`{"message":"${expected === 403 ? 'Forbidden' : 'Internal Server Error'}"}`);
      expect(events).toEqual([]);
    });

    test.each<[string, Record<string, string>]>([
      ['without the header', {}],
      ['with an empty one', { authorization: '' }],
    ])('and the authorizer is not asked %s: 401', async (_, headers) => {
      let asked = 0;
      const decide = () => {
        asked += 1;
        return { isAuthorized: true };
      };
      const { events, status, text } = await ask(decide, headers);
      expect([status, text]).toEqual([401, '{"message":"Unauthorized"}']);
      expect([asked, events]).toEqual([0, []]);
    });
  });

  test('a route without an authorizer is open', async () => {
    const events = settings.serve(undefined, () => ({ isAuthorized: false }));
    expect((await settings.get('/open')).status).toBe(204);
    expect(events[0]?.requestContext).not.toHaveProperty('authorizer');
  });
});
