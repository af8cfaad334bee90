import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import { OWNER, openTestSettings, type TestSettings } from './support/settings-fixture.ts';

const ISSUERS_KEY = createPrivateKey(
  createRequire(import.meta.url)('cognito-local/lib/keys/cognitoLocal.private.json').pem,
);
const SOMEBODYS_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

let settings: TestSettings;
let idToken: string;
beforeAll(async () => {
  settings = await openTestSettings();
  await settings.cognito.makeOwner();
  idToken = (await settings.cognito.tokens()).IdToken;
});
afterAll(() => settings.close());

/** The owner's own claims with some changes, signed with the test's choice of key. */
function sign(
  changes: JWTPayload,
  key: KeyObject = ISSUERS_KEY,
  header: { alg?: string; kid?: string } = {},
) {
  const claims = Object.entries({ ...decodeJwt(idToken), ...changes }).filter(([, it]) => it !== undefined);
  return new SignJWT(Object.fromEntries(claims))
    .setProtectedHeader({ alg: 'RS256', kid: 'CognitoLocal', ...header })
    .sign(key);
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);

test("an owner's ID token opens the door, and its claims reach the function as text", async () => {
  const events = settings.serve();
  expect((await settings.get('/settings/forms', idToken)).status).toBe(204);
  const { claims, scopes } = events[0]?.requestContext.authorizer.jwt ?? {};
  expect(scopes).toBeNull();
  expect(claims).toMatchObject({
    'custom:workspace_id': OWNER.workspaceId,
    token_use: 'id',
    email: OWNER.email,
    email_verified: 'true',
    aud: settings.cognito.reader.ref('OwnersClient'),
    iss: `${settings.cognito.endpoint}/${settings.cognito.reader.ref('Owners')}`,
    exp: expect.stringMatching(/^\d+$/),
  });
});

test('list and object claims are passed as text, and nulls are left out', async () => {
  const events = settings.serve();
  await settings.get('/settings/forms', await sign({ groups: ['a', 'b'], deep: { x: 1 }, none: null }));
  const { claims } = events[0]?.requestContext.authorizer.jwt ?? {};
  expect(claims).toMatchObject({ groups: '[a b]', deep: '{"x":1}' });
  expect(claims).not.toHaveProperty('none');
});

test.each(['', 'bearer ', 'Bearer ', 'BEARER  '])('the token may follow %j', async (prefix) => {
  settings.serve();
  const headers = { authorization: prefix + idToken };
  expect((await fetch(`${settings.url}/settings/forms`, { headers })).status).toBe(204);
});

test('an access token of the client passes, as on AWS: checking its kind is up to the function', async () => {
  const events = settings.serve();
  const { AccessToken } = await settings.cognito.tokens();
  expect((await settings.get('/settings/forms', AccessToken)).status).toBe(204);
  expect(events[0]?.requestContext.authorizer.jwt.claims).toMatchObject({ token_use: 'access' });
});

test('a refreshed ID token is accepted', async () => {
  settings.serve();
  const { RefreshToken } = await settings.cognito.tokens();
  const { body } = await settings.cognito.call('InitiateAuth', {
    AuthFlow: 'REFRESH_TOKEN_AUTH',
    ClientId: settings.cognito.reader.ref('OwnersClient'),
    AuthParameters: { REFRESH_TOKEN: RefreshToken },
  });
  expect((await settings.get('/settings/forms', body.AuthenticationResult.IdToken)).status).toBe(204);
});

describe('refuses with 401, before any function runs,', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['what is no token', () => 'abc'],
    ['an empty token', () => ''],
    ['an expired token', () => sign({ exp: seconds() - 1 })],
    ['a token that never expires', () => sign({ exp: undefined })],
    ['a token that is not valid yet', () => sign({ nbf: seconds() + 60 })],
    ['a token from the future', () => sign({ iat: seconds() + 60 })],
    ['a token signed by somebody else', () => sign({}, SOMEBODYS_KEY)],
    [
      'a token whose claims were changed',
      () =>
        idToken.replace(
          /\.[^.]+\./,
          `.${encoded({ ...decodeJwt(idToken), 'custom:workspace_id': 'ws_other' })}.`,
        ),
    ],
    ['a token without a signature', () => idToken.replace(/[^.]*$/, '')],
    ['alg none', () => `${encoded({ alg: 'none', kid: 'CognitoLocal' })}.${idToken.split('.')[1]}.`],
    ['the public key used as the secret of an HMAC', () => hmacWithPublicKey()],
    ['another RSA algorithm', () => sign({}, ISSUERS_KEY, { alg: 'RS512' })],
    ['an unknown key id', () => sign({}, ISSUERS_KEY, { kid: 'other' })],
    ['a token without a key id', () => sign({}, ISSUERS_KEY, { kid: undefined })],
    ['another issuer', () => sign({ iss: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_x' })],
    ['no issuer', () => sign({ iss: undefined })],
    [
      'another audience, though the client is ours',
      () => sign({ aud: 'other', client_id: settings.cognito.reader.ref('OwnersClient') }),
    ],
    ['neither audience nor client', () => sign({ aud: undefined })],
    ['a refresh token', async () => (await settings.cognito.tokens()).RefreshToken],
  ])('%s', async (_, make) => {
    await expectRefusal(await make());
  });

  test('no token at all', async () => {
    const response = await expectRefusal(undefined);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test("another pool's token, though the same keys signed it", async () => {
    await settings.cognito.makeOwner('Strangers');
    await expectRefusal((await settings.cognito.tokens('StrangersClient')).IdToken);
  });

  test("another client's tokens", async () => {
    const { IdToken, AccessToken } = await settings.cognito.tokens('OtherClient');
    await expectRefusal(IdToken);
    await expectRefusal(AccessToken);
  });
});

test('a route without an authorizer is open', async () => {
  const events = settings.serve();
  expect((await settings.get('/open')).status).toBe(204);
  expect(events[0]?.requestContext).not.toHaveProperty('authorizer');
});

async function expectRefusal(token: string | undefined): Promise<Response> {
  const events = settings.serve();
  const response = await settings.get('/settings/forms', token);
  expect(response.status).toBe(401);
  expect(await response.text()).toBe('{"message":"Unauthorized"}');
  expect(events).toEqual([]);
  return response;
}

function hmacWithPublicKey(): string {
  const secret = createPublicKey(ISSUERS_KEY).export({ type: 'spki', format: 'pem' });
  const signed = `${encoded({ alg: 'HS256', kid: 'CognitoLocal' })}.${idToken.split('.')[1]}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
