import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Signs the tokens of the local user pools. */
export interface SigningKey {
  readonly publicKey: JsonWebKey;
  /** The same claims with a signature of this key. */
  sign(token: string): string;
}

const FILE = 'signing-key.pem';
const BITS = 2048;

/** The folder's own key. cognito-local signs with a key pair that everyone can download. */
export async function openSigningKey(directory: string): Promise<SigningKey> {
  const file = join(directory, FILE);
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  const key = pem === undefined ? await makeKey(file) : createPrivateKey(pem);
  const { kty, n, e } = createPublicKey(key).export({ format: 'jwk' });
  // As in RFC 7638: another key has another id, so that nobody verifies with a cached one.
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid })).toString('base64url');
  return {
    publicKey: { kty, n, e, kid, alg: 'RS256', use: 'sig' },
    sign(token) {
      const unsigned = `${header}.${token.split('.')[1]}`;
      return `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), key).toString('base64url')}`;
    },
  };
}

async function makeKey(file: string): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  // Half a key would prevent every later start.
  await writeFile(`${file}.new`, pem, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return privateKey;
}
