import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { post } from './support/send-request.ts';
import { CONSOLE_URL, OWNER, openTestCognito, type TestCognito } from './support/settings-fixture.ts';

const LOCALHOST = CONSOLE_URL.replace('127.0.0.1', 'localhost');
const OTHER_ORIGINS = ['https://example.com', 'http://127.0.0.1:1', `${CONSOLE_URL}.example.com`, 'null'];

let cognito: TestCognito;
beforeAll(async () => {
  cognito = await openTestCognito();
  await cognito.makeOwner();
});
afterAll(async () => {
  await cognito.close();
  cognito.remove();
});

const signIn = () => ({
  AuthFlow: 'USER_PASSWORD_AUTH',
  ClientId: cognito.reader.ref('OwnersClient'),
  AuthParameters: { USERNAME: OWNER.email, PASSWORD: OWNER.password },
});
const lookUpOwner = () => ({ UserPoolId: cognito.reader.ref('Owners'), Username: OWNER.email });

function preflight(origin: string): Promise<Response> {
  const headers = { origin, 'access-control-request-method': 'POST' };
  return fetch(cognito.endpoint, { method: 'OPTIONS', headers });
}

describe.each([CONSOLE_URL, LOCALHOST])('the console at %s', (origin) => {
  test('may sign in, and read the answer', async () => {
    expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBe(origin);
    expect(await cognito.call('InitiateAuth', signIn(), { origin })).toMatchObject({ status: 200 });
  });

  test.each([
    'AdminGetUser',
    'AdminCreateUser',
    'AdminSetUserPassword',
    'AdminDeleteUser',
    'ListUsers',
    'SignUp',
    '',
  ])('may not call %j', async (operation) => {
    expect(await cognito.call(operation, lookUpOwner(), { origin })).toMatchObject({ status: 403 });
  });
});

describe.each(OTHER_ORIGINS)('a page at %s', (origin) => {
  test('is refused by the preflight', async () => {
    const response = await preflight(origin);
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBe(null);
  });

  test('may call nothing', async () => {
    expect(await cognito.call('InitiateAuth', signIn(), { origin })).toMatchObject({ status: 403 });
    expect(await cognito.call('AdminGetUser', lookUpOwner(), { origin })).toMatchObject({ status: 403 });
  });
});

test('a program on this machine, which sends no origin, may make admin calls', async () => {
  expect(await cognito.call('AdminGetUser', lookUpOwner())).toMatchObject({ status: 200 });
});

test.each(['example.com', '127.0.0.1.example.com', 'localhost.example.com:80'])(
  'a request for the host %s is refused: its name was made to resolve to this machine',
  async (host) => {
    const headers = { host, 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminGetUser' };
    expect(await post(cognito.endpoint, headers, JSON.stringify(lookUpOwner()))).toMatchObject({
      status: 403,
    });
  },
);
