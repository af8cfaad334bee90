import { describe, expect, test } from '@jest/globals';
import { COOKIE, openSessionFixture, REFRESH_TOKEN, TOKENS } from './session-fixture.ts';

const fixture = openSessionFixture();
const { calls, lines, request, bodyOf } = fixture;

const CLEARED = ['__Host-session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict'];
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

test('the page gets an ID token and never an access token, with which it could change the second factor', async () => {
  const body = JSON.stringify({ refreshToken: REFRESH_TOKEN });
  for (const response of [await request('POST', { cookies: [COOKIE] }), await request('PUT', { body })]) {
    expect(bodyOf(response)).toEqual({ idToken: TOKENS.IdToken });
  }
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
