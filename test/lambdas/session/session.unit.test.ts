import { describe, expect, test } from '@jest/globals';
import { COOKIE, FROM_CONSOLE, openSessionFixture, REFRESH_TOKEN, TOKENS } from './session-fixture.ts';

const fixture = openSessionFixture();
const { calls, lines, request, fails, bodyOf } = fixture;
const CLEARED = ['__Host-session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict'];
const put = (refreshToken: unknown) => request('PUT', { body: JSON.stringify({ refreshToken }) });

describe.each(['GET', 'PUT', 'POST', 'PATCH', 'DELETE'])('%s', (method) => {
  const sent = { cookies: [COOKIE], body: JSON.stringify({ refreshToken: REFRESH_TOKEN }) };

  test.each([
    ['another site', { ...FROM_CONSOLE, 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { ...FROM_CONSOLE, 'sec-fetch-site': 'same-site' }],
    ['the address bar', { ...FROM_CONSOLE, 'sec-fetch-site': 'none' }],
    ['a client that says nothing of its site', { 'x-lead-ingest-console': '1' }],
    ['a form, which cannot set a header', { 'sec-fetch-site': 'same-origin' }],
  ])('from %s is forbidden and reaches nothing', async (_, headers) => {
    const response = await request(method, { ...sent, headers });
    expect(response.statusCode).toBe(403);
    expect(response.cookies).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test('responses are never cached, and its log holds no token', async () => {
    const response = await request(method, sent);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'INFO', code: 'session.request', method, status: response.statusCode },
    ]);
  });
});

test('other methods are not allowed', async () => {
  expect((await request('OPTIONS', { cookies: [COOKIE] })).statusCode).toBe(405);
});

describe('storing a refresh token', () => {
  test('proves it at Cognito, sets the cookie for 30 days and returns new tokens', async () => {
    const response = await put(REFRESH_TOKEN);
    expect(response.statusCode).toBe(200);
    // As below, without an access token.
    expect(bodyOf(response)).toEqual({ idToken: 'the.id.token' });
    expect(response.cookies).toEqual([
      `${COOKIE}; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Strict`,
    ]);
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
    const response = await put(REFRESH_TOKEN);
    expect(response.statusCode).toBe(401);
    expect(response.cookies).toBeUndefined();
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
    const response = await request('POST', { cookies: ['theme=dark', COOKIE] });
    // Never an access token, with which the page could change the second factor.
    expect(bodyOf(response)).toEqual({ idToken: 'the.id.token' });
    expect(response.cookies).toBeUndefined();
  });

  test.each([undefined, [], ['session=x.y.z'], ['__Host-session=nothing']])(
    'with the cookies %j needs no call',
    async (cookies) => {
      const response = await request('POST', cookies && { cookies });
      expect(response.statusCode).toBe(401);
      expect(calls).toEqual([]);
    },
  );

  test.each(['NotAuthorizedException', 'UserNotFoundException', 'PasswordResetRequiredException'])(
    'ends and clears the cookie on %s',
    async (type) => {
      fails(400, type);
      const response = await request('POST', { cookies: [COOKIE] });
      expect(response.statusCode).toBe(401);
      expect(response.cookies).toEqual(CLEARED);
    },
  );

  test.each([
    [400, 'TooManyRequestsException'],
    [400, 'ResourceNotFoundException'],
    [500, 'InternalErrorException'],
    [200, 'no tokens'],
  ])('keeps the cookie when Cognito returns %i %s', async (status, type) => {
    fails(status, type);
    const response = await request('POST', { cookies: [COOKIE] });
    expect(response.statusCode).toBe(503);
    expect(response.cookies).toBeUndefined();
    expect(lines.join()).toContain('session.cognito_failed');
    expect(lines.join()).not.toContain(REFRESH_TOKEN);
  });

  test('keeps the cookie when Cognito is unreachable', async () => {
    const response = await request('POST', { cookies: [COOKIE] }, 'http://127.0.0.1:1');
    expect(response.statusCode).toBe(503);
    expect(response.cookies).toBeUndefined();
  });
});

describe('ending a session', () => {
  test('revokes the token and clears the cookie', async () => {
    fixture.reply = { status: 200, body: {} };
    const response = await request('DELETE', { cookies: [COOKIE] });
    expect(response).toMatchObject({ statusCode: 204, cookies: CLEARED });
    expect(calls).toEqual([
      { operation: 'RevokeToken', body: { ClientId: 'client-1', Token: REFRESH_TOKEN } },
    ]);
  });

  test.each([
    [400, 'NotAuthorizedException'],
    [500, 'InternalErrorException'],
  ])('clears the cookie even if Cognito returns %i %s', async (status, type) => {
    fails(status, type);
    expect(await request('DELETE', { cookies: [COOKIE] })).toMatchObject({
      statusCode: 204,
      cookies: CLEARED,
    });
  });
});

describe('passwords', () => {
  const { AccessToken } = TOKENS;
  const patch = (fields: object, cookies = [COOKIE]) =>
    request('PATCH', { cookies, body: JSON.stringify(fields) });
  /** All but the exchange of the cookie. */
  const passwordCalls = () => calls.filter(({ operation }) => operation !== 'InitiateAuth');
  const refuses = (__type: string) => ({ status: 400, body: { __type, message: 'in the words of Cognito' } });

  describe.each([
    {
      what: 'changing',
      fields: { currentPassword: 'The-old-one-1', newPassword: 'The-new-one-2' },
      first: {
        operation: 'ChangePassword',
        body: { AccessToken, PreviousPassword: 'The-old-one-1', ProposedPassword: 'The-new-one-2' },
      },
      second: { operation: 'GlobalSignOut', body: { AccessToken } },
    },
    {
      what: 'resetting',
      fields: { email: 'ada@example.com', code: '123456', newPassword: 'The-new-one-2' },
      first: {
        operation: 'ConfirmForgotPassword',
        body: {
          ClientId: 'client-1',
          Username: 'ada@example.com',
          ConfirmationCode: '123456',
          Password: 'The-new-one-2',
        },
      },
      // It has no token of the user, so it needs a permission of its own.
      second: { operation: 'AdminUserGlobalSignOut', body: 'ada@example.com' },
    },
  ])('$what the password', ({ fields, first, second }) => {
    test('ends all sessions, this one included', async () => {
      expect(await patch(fields)).toMatchObject({ statusCode: 204, cookies: CLEARED });
      expect(passwordCalls()).toEqual([first, second]);
    });

    test.each(['InvalidPasswordException', 'NotAuthorizedException', 'CodeMismatchException'])(
      'ends no session if Cognito answers %s, and passes the name on',
      async (name) => {
        fixture.replies[first.operation] = refuses(name);
        const response = await patch(fields);
        expect(response).toMatchObject({ statusCode: 400 });
        expect(bodyOf(response).reason).toBe(name);
        expect(response.body).not.toContain('words');
        expect(response.cookies).toBeUndefined();
        expect(passwordCalls()).toEqual([first]);
      },
    );

    test('does not pass on an error that the person can do nothing about', async () => {
      fixture.replies[first.operation] = refuses('ResourceNotFoundException');
      expect((await patch(fields)).statusCode).toBe(503);
      expect(passwordCalls()).toEqual([first]);
    });

    test('tries three times to end the sessions, and says so if others may still be open', async () => {
      fixture.replies[second.operation] = { status: 500, body: {} };
      const response = await patch(fields);
      expect(response.statusCode).toBe(503);
      expect(bodyOf(response).reason).toBe('SessionsNotEnded');
      expect(passwordCalls()).toEqual([first, second, second, second]);
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.join()).not.toMatch(/one-[12]|123456|example\.com|the\.access/);
    });
  });

  test.each([
    ['without a cookie', []],
    ['with a cookie that is no longer accepted', [COOKIE]],
  ])('the password cannot be changed %s', async (_, cookies) => {
    fixture.replies.InitiateAuth = refuses('NotAuthorizedException');
    const fields = { currentPassword: 'old', newPassword: 'new' };
    expect((await patch(fields, cookies)).statusCode).toBe(401);
    expect((await request('GET', { cookies })).statusCode).toBe(401);
    expect(passwordCalls()).toEqual([]);
  });

  test.each([
    {},
    { currentPassword: 'old', newPassword: '' },
    { email: 'ada@example.com', code: 7, newPassword: 'new' },
    { email: 'ada@example.com', newPassword: 'new' },
  ])('an incomplete request reaches nothing: %j', async (fields) => {
    expect((await patch(fields)).statusCode).toBe(400);
    expect(calls).toEqual([]);
  });

  test.each([
    [['SOFTWARE_TOKEN_MFA'], true],
    [undefined, false],
  ])('a user with the factors %j has a second factor: %s', async (UserMFASettingList, secondFactor) => {
    fixture.replies.GetUser = { status: 200, body: { UserMFASettingList } };
    const response = await request('GET', { cookies: [COOKIE] });
    expect(bodyOf(response)).toEqual({ secondFactor });
    expect(passwordCalls()).toEqual([{ operation: 'GetUser', body: { AccessToken } }]);
  });
});
