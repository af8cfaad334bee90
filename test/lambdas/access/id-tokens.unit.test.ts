import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose';
import { type IdTokens, makeIdTokens } from '#access/id-tokens-store.ts';
import { OWNER, openTestCognito, type TestCognito } from '../../local/support/settings-fixture.ts';

/** Everyone can download it with cognito-local. */
const WELL_KNOWN_KEY = createPrivateKey(
  createRequire(import.meta.url)('cognito-local/lib/keys/cognitoLocal.private.json').pem,
);
const SOMEBODYS_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

let cognito: TestCognito;
let idTokens: IdTokens;
let idToken: string;
let issuersKey: KeyObject;
let kid: string;
beforeAll(async () => {
  cognito = await openTestCognito();
  await cognito.makeOwner();
  idToken = (await cognito.tokens()).IdToken;
  issuersKey = createPrivateKey(readFileSync(join(cognito.directory, 'signing-key.pem')));
  kid = decodeProtectedHeader(idToken).kid as string;
  idTokens = tokensOf('Owners', 'OwnersClient');
});
afterAll(async () => {
  await cognito.close();
  cognito.remove();
});

function tokensOf(pool: string, client: string): IdTokens {
  const issuer = `${cognito.endpoint}/${cognito.reader.ref(pool)}`;
  return makeIdTokens({ issuer, clientId: cognito.reader.ref(client) });
}

/** The owner's own claims with some changes, signed with the test's choice of key. */
function sign(changes: JWTPayload, key: KeyObject = issuersKey, header: { alg?: string; kid?: string } = {}) {
  const claims = Object.entries({ ...decodeJwt(idToken), ...changes }).filter(([, it]) => it !== undefined);
  return new SignJWT(Object.fromEntries(claims))
    .setProtectedHeader({ alg: 'RS256', kid, ...header })
    .sign(key);
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);

test("an owner's ID token says who they are", async () => {
  expect(await idTokens.verify(idToken)).toEqual({
    userId: decodeJwt(idToken).sub,
    workspaceId: OWNER.workspaceId,
    email: OWNER.email,
    invited: false,
  });
});

test('the mark of an invitation is read', async () => {
  expect(await idTokens.verify(await sign({ 'custom:invited': 'yes' }))).toMatchObject({ invited: true });
});

test('a refreshed ID token is accepted', async () => {
  const { RefreshToken } = await cognito.tokens();
  const { body } = await cognito.call('InitiateAuth', {
    AuthFlow: 'REFRESH_TOKEN_AUTH',
    ClientId: cognito.reader.ref('OwnersClient'),
    AuthParameters: { REFRESH_TOKEN: RefreshToken },
  });
  const { IdToken } = body.AuthenticationResult;
  expect(await idTokens.verify(IdToken)).toMatchObject({ workspaceId: OWNER.workspaceId });
});

describe('refuses', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['what is no token', () => 'abc'],
    ['an empty token', () => ''],
    ['an access token', async () => (await cognito.tokens()).AccessToken],
    ['a refresh token', async () => (await cognito.tokens()).RefreshToken],
    ['an ID token that says it is an access token', () => sign({ token_use: 'access' })],
    ['a token that does not say what it is', () => sign({ token_use: undefined })],
    ['an expired token', () => sign({ exp: seconds() - 1 })],
    ['a token that never expires', () => sign({ exp: undefined })],
    ['a token that is not valid yet', () => sign({ nbf: seconds() + 60 })],
    ['a token signed by somebody else', () => sign({}, SOMEBODYS_KEY)],
    ['a token signed with the key of cognito-local', () => sign({}, WELL_KNOWN_KEY)],
    ['the same under its own key id', () => sign({}, WELL_KNOWN_KEY, { kid: 'CognitoLocal' })],
    [
      'a token whose claims were changed',
      () =>
        idToken.replace(
          /\.[^.]+\./,
          `.${encoded({ ...decodeJwt(idToken), 'custom:workspace_id': 'ws_other' })}.`,
        ),
    ],
    ['a token without a signature', () => idToken.replace(/[^.]*$/, '')],
    ['alg none', () => `${encoded({ alg: 'none', kid })}.${idToken.split('.')[1]}.`],
    ['alg none with a signature', () => `${encoded({ alg: 'none', kid })}.${idToken.split('.')[1]}.AA`],
    ['the public key used as the secret of an HMAC', () => hmacWithPublicKey()],
    ['another RSA algorithm', () => sign({}, issuersKey, { alg: 'RS512' })],
    ['an unknown key id', () => sign({}, issuersKey, { kid: 'other' })],
    ['a token without a key id', () => sign({}, issuersKey, { kid: undefined })],
    ['another issuer', () => sign({ iss: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_x' })],
    ['no issuer', () => sign({ iss: undefined })],
    [
      'another audience, though the client is ours',
      () => sign({ aud: 'other', client_id: cognito.reader.ref('OwnersClient') }),
    ],
    ['neither audience nor client', () => sign({ aud: undefined })],
    ['no workspace', () => sign({ 'custom:workspace_id': undefined })],
    ['an empty workspace', () => sign({ 'custom:workspace_id': '' })],
    ['no user', () => sign({ sub: undefined })],
  ])('%s', async (_, make) => {
    expect(await idTokens.verify(await make())).toBeUndefined();
  });

  test("another pool's token, though the same keys signed it", async () => {
    await cognito.makeOwner('Strangers');
    const { IdToken } = await cognito.tokens('StrangersClient');
    expect(await idTokens.verify(IdToken)).toBeUndefined();
    expect(await tokensOf('Strangers', 'StrangersClient').verify(IdToken)).toBeDefined();
  });

  test("another client's token", async () => {
    const { IdToken } = await cognito.tokens('OtherClient');
    expect(await idTokens.verify(IdToken)).toBeUndefined();
  });
});

test('a valid token works after one with an unknown key id', async () => {
  const fresh = tokensOf('Owners', 'OwnersClient');
  expect(await fresh.verify(await sign({}, issuersKey, { kid: 'other' }))).toBeUndefined();
  expect(await fresh.verify(idToken)).toBeDefined();
});

test('fails if the keys cannot be read, instead of refusing everybody', async () => {
  const issuer = decodeJwt(idToken).iss as string;
  const nowhere = makeIdTokens({ issuer: `${cognito.endpoint}/a/b/c`, clientId: 'x' });
  const token = await sign({ iss: `${cognito.endpoint}/a/b/c`, aud: 'x' });
  await expect(nowhere.verify(token)).rejects.toThrow(/404/);
  expect(issuer).toContain(cognito.endpoint);
});

function hmacWithPublicKey(): string {
  const secret = createPublicKey(issuersKey).export({ type: 'spki', format: 'pem' });
  const signed = `${encoded({ alg: 'HS256', kid })}.${idToken.split('.')[1]}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
