import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CognitoServiceFactoryImpl } from 'cognito-local/lib/services/cognitoService.js';
import type { Context } from 'cognito-local/lib/services/context.js';
import type { DataStore } from 'cognito-local/lib/services/dataStore/dataStore.js';
import type { DataStoreFactory } from 'cognito-local/lib/services/dataStore/factory.js';
import type { Services } from 'cognito-local/lib/services/index.js';
import type { Messages } from 'cognito-local/lib/services/messages.js';
import { otp } from 'cognito-local/lib/services/otp.js';
import { JwtTokenGenerator } from 'cognito-local/lib/services/tokenGenerator.js';
import type { Triggers } from 'cognito-local/lib/services/triggers/index.js';
import { UserPoolServiceFactoryImpl } from 'cognito-local/lib/services/userPoolService.js';
import type { Print } from '../function-log.ts';
import { writeMail } from '../sending-services.ts';

const QUIET = {
  child: () => QUIET,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as unknown as Context['logger'];

/** The context of every call to cognito-local. Its logger is silent, since it would log passwords. */
export const CONTEXT: Context = { logger: QUIET };

/** None: the stack has no Lambda triggers. */
const NO_TRIGGERS = { enabled: () => false } as unknown as Triggers;

export interface CognitoServices extends Services {
  /** Verifies the tokens. */
  readonly publicKey: SigningKey['publicKey'];
  /** Sets the issuer of new tokens. */
  issueFrom(address: string): void;
}

/**
 * cognito-local without its own server, which stores data in the working directory, prints to stdout, and loads all of
 * AWS SDK 2 for triggers that this stack does not have.
 */
export async function makeCognitoServices(
  directory: string,
  { mailFolder, print }: { readonly mailFolder: string; readonly print: Print },
): Promise<CognitoServices> {
  const clock = { get: () => new Date() };
  const stores = makeDataStores(directory);
  const cognito = await new CognitoServiceFactoryImpl(
    directory,
    stores,
    new UserPoolServiceFactoryImpl(clock, stores),
  ).create(CONTEXT, {});
  const tokenConfig: { IssuerDomain?: string } = {};
  const key = await openSigningKey(directory);
  const tokens = new JwtTokenGenerator(clock, NO_TRIGGERS, tokenConfig);
  return {
    publicKey: key.publicKey,
    clock,
    cognito,
    config: { TokenConfig: tokenConfig } as Services['config'],
    messages: {
      async deliver(_, source, _client, userPoolId, _user, code, _metadata, { Destination }) {
        const { options } = await cognito.getUserPool(CONTEXT, userPoolId);
        const { file } = await writeMail(mailFolder, mailOf(source, options, { code, Destination }));
        print(`Mail to ${Destination} is in ${file}: your code or temporary password is ${code}`);
      },
    },
    otp,
    tokenGenerator: {
      async generate(...request) {
        const { AccessToken, IdToken, RefreshToken } = await tokens.generate(...request);
        return {
          AccessToken: key.sign(AccessToken),
          IdToken: key.sign(IdToken),
          RefreshToken: key.sign(RefreshToken),
        };
      },
    },
    triggers: NO_TRIGGERS,
    issueFrom(address) {
      tokenConfig.IssuerDomain = address;
    },
  };
}

type MailSource = Parameters<Messages['deliver']>[1];

interface Invitations {
  readonly AdminCreateUserConfig?: {
    readonly InviteMessageTemplate?: { readonly EmailSubject?: string; readonly EmailMessage?: string };
  };
}

/** The template's text for invitations, and Cognito's own for everything else. */
function mailOf(
  source: MailSource,
  { AdminCreateUserConfig }: Invitations,
  { code, Destination }: { readonly code: string; readonly Destination: string },
) {
  const invitation = source === 'AdminCreateUser' ? AdminCreateUserConfig?.InviteMessageTemplate : undefined;
  const {
    EmailSubject = source === 'AdminCreateUser' ? 'Your temporary password' : 'Your verification code',
    EmailMessage = source === 'AdminCreateUser'
      ? 'Your username is {username} and temporary password is {####}.'
      : 'Your confirmation code is {####}',
  } = invitation ?? {};
  const text = EmailMessage.replaceAll('{username}', Destination).replaceAll('{####}', code);
  return {
    FromEmailAddress: 'no-reply@verificationemail.com',
    Destination: { ToAddresses: [Destination] },
    Content: { Simple: { Subject: { Data: EmailSubject }, Body: { Text: { Data: text } } } },
  };
}

type Branch = Record<string, unknown>;

/**
 * cognito-local's data, one file per pool. Its own store overwrites the file in place, so a process killed at that
 * moment would leave half a pool. The files hold plain passwords, so only their owner can read them.
 */
export function makeDataStores(directory: string): DataStoreFactory {
  return {
    async create(_, id, defaults) {
      const file = join(directory, `${id}.json`);
      const root: Branch = { ...defaults, ...read(file) };
      const save = makeSaver(file, root);
      await save();
      return makeDataStore(root, save);
    },
  };
}

function makeDataStore(root: Branch, save: () => Promise<void>): DataStore {
  return {
    async get(_: unknown, key: string | string[], defaultValue?: unknown) {
      return (find(root, path(key)) ?? defaultValue ?? null) as never;
    },
    async getRoot() {
      return root as never;
    },
    async set(_, key, value) {
      const { parent, last } = reach(root, path(key));
      parent[last] = value;
      await save();
    },
    async delete(_, key) {
      const { parent, last } = reach(root, path(key));
      delete parent[last];
      await save();
    },
  };
}

/** Writes atomically, one after the other. */
function makeSaver(file: string, root: Branch): () => Promise<void> {
  let writing = Promise.resolve();
  return () => {
    const next = writing.then(async () => {
      const draft = `${file}.new`;
      await writeFile(draft, JSON.stringify(root, null, 2), { mode: 0o600 });
      await rename(draft, file);
    });
    writing = next.catch(() => undefined);
    return next;
  };
}

function read(file: string): Branch {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  // cognito-local expects Date objects in fields that end in "Date".
  return JSON.parse(text, (key, value) =>
    key.endsWith('Date') && typeof value === 'string' ? new Date(value) : value,
  );
}

const path = (key: string | string[]) => (Array.isArray(key) ? key : [key]);

function find(root: Branch, keys: readonly string[]): unknown {
  let value: unknown = root;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Branch)[key];
  }
  return value;
}

function reach(root: Branch, keys: readonly string[]): { parent: Branch; last: string } {
  let parent = root;
  for (const key of keys.slice(0, -1)) {
    if (!Object.hasOwn(parent, key)) parent[key] = {};
    parent = parent[key] as Branch;
  }
  return { parent, last: keys.at(-1) ?? '' };
}

/** Signs the tokens of the local user pools. */
interface SigningKey {
  readonly publicKey: JsonWebKey;
  /** The same claims with a signature of this key. */
  sign(token: string): string;
}

const FILE = 'signing-key.pem';
const BITS = 2048;

/** The folder's own key. cognito-local signs with a key pair that everyone can download. */
async function openSigningKey(directory: string): Promise<SigningKey> {
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
