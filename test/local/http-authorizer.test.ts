import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { InvocationError } from '#local/environment.ts';
import { type Decide, openTestSettings, type TestSettings } from './support/settings-fixture.ts';

let settings: TestSettings;
beforeAll(async () => {
  settings = await openTestSettings();
});
afterAll(() => settings.close());

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
      'though a refusal has a context',
      403,
      () => ({ isAuthorized: false, context: { workspaceId: 'ws_1' } }),
    ],
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
