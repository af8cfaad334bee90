import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { CONSOLE_URL, OWNER, openTestCognito, type TestCognito } from './support/settings-fixture.ts';
import { post } from './support/test-gateway.ts';

describe('Cognito', () => {
  let cognito: TestCognito;
  afterEach(async () => {
    await cognito.close();
    cognito.remove();
  });

  test('pool, client, owner and signing key survive a restart, and no other data folder has them', async () => {
    const state = async ({ reader }: TestCognito) => {
      const issuer = reader.attribute('Owners', 'ProviderURL');
      const keys = await (await fetch(`${issuer}/.well-known/jwks.json`)).json();
      return { ids: [reader.ref('Owners'), reader.ref('OwnersClient')], keys };
    };
    cognito = await openTestCognito();
    await cognito.makeOwner();
    const first = await state(cognito);
    expect(first.ids[0]).toMatch(/^us-east-1_[a-z0-9]{9}$/);
    await cognito.close();
    const other = await openTestCognito();
    expect((await state(other)).keys).not.toEqual(first.keys);
    await other.close();
    other.remove();
    cognito = await openTestCognito(cognito.directory);
    expect(await state(cognito)).toEqual(first);
    expect(await cognito.tokens()).toHaveProperty('IdToken');
  });

  test('its files, which contain passwords and a private key, are readable by their owner only', async () => {
    cognito = await openTestCognito();
    await cognito.makeOwner();
    const files = readdirSync(cognito.directory);
    expect(files).toHaveLength(4);
    for (const file of files) expect(statSync(join(cognito.directory, file)).mode & 0o777).toBe(0o600);
  });

  test('nobody can change the workspace of an owner', async () => {
    cognito = await openTestCognito();
    await cognito.makeOwner();
    const { AccessToken } = await cognito.tokens();
    const UserAttributes = [{ Name: 'custom:workspace_id', Value: 'ws_other' }];
    const refusal = { status: 400, body: { __type: 'InvalidParameterException' } };
    expect(await cognito.call('UpdateUserAttributes', { AccessToken, UserAttributes })).toMatchObject(
      refusal,
    );
    const asAdmin = { UserPoolId: cognito.reader.ref('Owners'), Username: OWNER.email, UserAttributes };
    expect(await cognito.call('AdminUpdateUserAttributes', asAdmin)).toMatchObject(refusal);
  });

  test.each(['GlobalSignOut', 'AdminUserGlobalSignOut'])(
    '%s ends every session of one user, and new ones begin',
    async (operation) => {
      cognito = await openTestCognito();
      await cognito.makeOwner();
      const sessions = [await cognito.tokens(), await cognito.tokens()];
      const refresh = async ({ RefreshToken = '' }) => {
        const ClientId = cognito.reader.ref('OwnersClient');
        const AuthParameters = { REFRESH_TOKEN: RefreshToken };
        return cognito.call('InitiateAuth', { AuthFlow: 'REFRESH_TOKEN_AUTH', ClientId, AuthParameters });
      };
      for (const each of sessions) expect(await refresh(each)).toMatchObject({ status: 200 });
      const request =
        operation === 'GlobalSignOut'
          ? { AccessToken: sessions[0]?.AccessToken }
          : { UserPoolId: cognito.reader.ref('Owners'), Username: OWNER.email };
      expect(await cognito.call(operation, request)).toEqual({ status: 200, body: {} });
      const refused = { status: 400, body: { __type: 'NotAuthorizedException' } };
      for (const each of sessions) expect(await refresh(each)).toMatchObject(refused);
      expect(await refresh(await cognito.tokens())).toMatchObject({ status: 200 });
      expect((await cognito.call(operation, {})).status).toBe(400);
    },
  );

  test('an owner is created once, and replaced if the workspace is gone', async () => {
    cognito = await openTestCognito();
    const subject = async () => JSON.parse(atob((await cognito.tokens()).IdToken.split('.')[1] ?? ''));
    await cognito.makeOwner();
    const first = await subject();
    await cognito.makeOwner();
    expect((await subject()).sub).toBe(first.sub);
    await cognito.makeOwner('Owners', { ...OWNER, workspaceId: 'ws_new' });
    expect(await subject()).toMatchObject({ 'custom:workspace_id': 'ws_new' });
  });

  test('an invitation is written to the mail folder, and its password must be changed', async () => {
    cognito = await openTestCognito();
    const invited = await cognito.call('AdminCreateUser', {
      UserPoolId: cognito.reader.ref('Owners'),
      Username: 'eve@example.com',
      DesiredDeliveryMediums: ['EMAIL'],
      UserAttributes: [{ Name: 'email', Value: 'eve@example.com' }],
    });
    expect(invited.status).toBe(200);
    const [file = ''] = readdirSync(cognito.mailFolder);
    const path = join(cognito.mailFolder, file);
    expect(cognito.mail).toEqual([
      expect.stringMatching(`^Mail to eve@example.com is in ${path}: .* password is \\S+$`),
    ]);
    const mail = readFileSync(path, 'utf8');
    expect(mail).toContain('\r\nTo: eve@example.com\r\nSubject: Your access\r\n');
    const [, password] = /^Sign in as eve@example\.com with (\S+)\.$/m.exec(mail) ?? [];
    const signIn = await cognito.call('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: cognito.reader.ref('OwnersClient'),
      AuthParameters: { USERNAME: 'eve@example.com', PASSWORD: password },
    });
    expect(signIn.body).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED' });
  });

  test.each([
    ['a wrong password', 'InitiateAuth', 400, 'NotAuthorizedException'],
    ['SRP, which it cannot do', 'InitiateAuth', 500, 'UnsupportedByCognitoLocal'],
    ['an operation that it does not know', 'Dance', 500, 'UnsupportedByCognitoLocal'],
  ])('%s gets a specific error', async (what, operation, status, type) => {
    cognito = await openTestCognito();
    await cognito.makeOwner();
    const AuthFlow = what.startsWith('SRP') ? 'USER_SRP_AUTH' : 'USER_PASSWORD_AUTH';
    const AuthParameters = { USERNAME: OWNER.email, PASSWORD: 'wrong' };
    const request = { AuthFlow, ClientId: cognito.reader.ref('OwnersClient'), AuthParameters };
    expect(await cognito.call(operation, request)).toMatchObject({ status, body: { __type: type } });
  });
});

describe('allowed origins', () => {
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

  test.each([CONSOLE_URL, LOCALHOST])(
    'the console at %s may sign in, and do nothing else',
    async (origin) => {
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBe(origin);
      expect(await cognito.call('InitiateAuth', signIn(), { origin })).toMatchObject({ status: 200 });
      const admin = ['GetUser', 'CreateUser', 'SetUserPassword', 'DeleteUser'].map((name) => `Admin${name}`);
      for (const operation of [...admin, 'ListUsers', 'SignUp', '']) {
        const { status } = await cognito.call(operation, lookUpOwner(), { origin });
        expect([operation, status]).toEqual([operation, 403]);
      }
    },
  );

  test.each(OTHER_ORIGINS)(
    'a page at %s is refused by the preflight, and may call nothing',
    async (origin) => {
      const response = await preflight(origin);
      expect(response.status).toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBe(null);
      expect(await cognito.call('InitiateAuth', signIn(), { origin })).toMatchObject({ status: 403 });
      expect(await cognito.call('AdminGetUser', lookUpOwner(), { origin })).toMatchObject({ status: 403 });
    },
  );

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
});
