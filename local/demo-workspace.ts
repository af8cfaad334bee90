import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type TableNames, toDocumentClient } from '../lambdas/aws/dynamodb.ts';
import { OUTPUTS, type TableKey, WORKSPACE_ATTRIBUTE } from '../lambdas/contract.ts';
import { hashToken } from '../lambdas/model/ingest-token.ts';
import type { Reason } from '../lambdas/model/reasons.ts';
import { signatureOf } from '../lambdas/model/request-signature.ts';
import { slugConfigurations, tokenConfigurations } from '../lambdas/submission/configuration-store.ts';
import { judgeServerToken } from '../lambdas/submission/server-token.ts';
import { judgeSignedRequest } from '../lambdas/submission/signed-request.ts';
import { makeAdministration } from '../lambdas/workspaces/administration.ts';
import { StartupError } from './lifecycle.ts';

/** A workspace to try things out. */
export interface Demo {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly webhookSecret: string;
  readonly serverToken: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
}

/** Null for what was changed, revoked or removed since. */
export type WorkingDemo = { readonly [Name in keyof Demo]: string | null };

export interface CheckedDemo {
  readonly demo: WorkingDemo;
  /** Why the token and the secret are rejected, if they are. */
  readonly rejected: {
    readonly serverToken?: Reason | undefined;
    readonly webhookSecret?: Reason | undefined;
  };
}

export interface SeedSettings {
  readonly client: DynamoDBClient;
  readonly outputs: Readonly<Record<string, string>>;
  /** Stores token and secret for the next start: the database holds only the token's hash. */
  readonly demoFile: string;
  readonly databaseIsNew: boolean;
  readonly cognitoEndpoint: string;
}

const OWNER_EMAIL = 'owner@example.com';

/** The demo workspace and its owner: from an earlier start, or newly created as an operator would. */
export async function seedDemo(settings: SeedSettings): Promise<CheckedDemo> {
  const known = settings.databaseIsNew ? undefined : await readDemo(settings.demoFile);
  // Workspaces of older versions have no owner.
  const demo: Demo = known?.ownerEmail
    ? known
    : {
        ...(known ?? (await makeWorkspace(settings))),
        ownerEmail: OWNER_EMAIL,
        ownerPassword: newPassword(),
      };
  if (demo !== known) await writeDemo(settings.demoFile, demo);
  return checkDemo(demo, settings);
}

/** Judges token and secret as the ingest functions do, and signs the owner in. */
async function checkDemo(demo: Demo, settings: SeedSettings): Promise<CheckedDemo> {
  const { client, outputs, cognitoEndpoint: endpoint } = settings;
  const store = { client: toDocumentClient(client), tables: tableNames(outputs) };
  const { signal } = new AbortController();
  const [byToken, bySlug, { Item: workspace }] = await Promise.all([
    tokenConfigurations(store).find(hashToken(demo.serverToken), signal),
    slugConfigurations(store).find(demo.slug, signal),
    store.client.send(
      new GetCommand({ TableName: store.tables.workspaces, Key: { workspaceId: demo.workspaceId } }),
    ),
  ]);
  const rejected = {
    serverToken: judgeServerToken(byToken, { token: demo.serverToken, surface: '1a' }).rejection?.reason,
    webhookSecret: judgeSignedRequest(bySlug, signedWith(demo.webhookSecret)).rejection?.reason,
  };
  const hasForm = workspace !== undefined && bySlug.forms.length > 0;
  const ownerWorks = workspace !== undefined && (await ownerSignsIn(demo, endpoint, outputs));
  return {
    demo: {
      workspaceId: workspace ? demo.workspaceId : null,
      formId: hasForm ? demo.formId : null,
      slug: hasForm ? demo.slug : null,
      webhookSecret: rejected.webhookSecret ? null : demo.webhookSecret,
      serverToken: rejected.serverToken ? null : demo.serverToken,
      ownerEmail: workspace ? demo.ownerEmail : null,
      ownerPassword: ownerWorks ? demo.ownerPassword : null,
    },
    rejected,
  };
}

/** An empty request with a signature of now. */
function signedWith(secret: string) {
  const nowMilliseconds = Date.now();
  const timestamp = String(Math.floor(nowMilliseconds / 1000));
  const body = new Uint8Array();
  const headers = new Map([
    ['x-svc-timestamp', [timestamp]],
    ['x-svc-signature', [signatureOf(secret, timestamp, body).toString('hex')]],
  ]);
  return { headers, body, nowMilliseconds };
}

/** Makes sure that there is an owner, and tells whether the password is still theirs. */
async function ownerSignsIn(
  { ownerEmail: email, ownerPassword: password, workspaceId }: Demo,
  endpoint: string,
  outputs: SeedSettings['outputs'],
): Promise<boolean> {
  const pool = { endpoint, userPoolId: output(outputs, OUTPUTS.userPoolId) };
  await ensureOwner(pool, { email, password, workspaceId });
  const ClientId = output(outputs, OUTPUTS.userPoolClientId);
  const response = await call(pool, 'InitiateAuth', {
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: email, PASSWORD: password },
  });
  if (!response.ok) return false;
  const { AuthenticationResult } = (await response.json()) as {
    AuthenticationResult?: { RefreshToken: string };
  };
  // Otherwise each start would leave a session behind. With a second factor there is none yet.
  if (AuthenticationResult)
    await callOrThrow(pool, 'RevokeToken', { ClientId, Token: AuthenticationResult.RefreshToken });
  return true;
}

async function makeWorkspace({ client, outputs }: SeedSettings) {
  const administration = makeAdministration({
    client: toDocumentClient(client),
    tables: tableNames(outputs),
    now: Date.now,
    randomBytes,
  });
  const { workspaceId } = await administration.createWorkspace({ name: 'Demo' });
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Demo form' });
  const [{ token }, { secret }] = await Promise.all([
    administration.createToken({ formId, name: 'Demo token' }),
    administration.setSecret({ formId }),
  ]);
  return { workspaceId, formId, slug, webhookSecret: secret, serverToken: token };
}

/** Written atomically and readable by its owner only. */
async function writeDemo(file: string, demo: Demo): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Read from the stack's outputs, as `leadctl` does. */
function tableNames(outputs: Readonly<Record<string, string>>): TableNames {
  const names = Object.entries(OUTPUTS.tables).map(([tableKey, name]): [TableKey, string] => [
    tableKey as TableKey,
    output(outputs, name),
  ]);
  return Object.fromEntries(names) as TableNames;
}

function output(outputs: Readonly<Record<string, string>>, name: string): string {
  const value = outputs[name];
  if (value === undefined) throw new StartupError(`The stack has no output ${name}.`);
  return value;
}

export interface OwnersPool {
  readonly endpoint: string;
  readonly userPoolId: string;
}

export interface Owner {
  readonly email: string;
  readonly password: string;
  readonly workspaceId: string;
}

const CLAIM = `custom:${WORKSPACE_ATTRIBUTE}`;

/** The suffix guarantees both cases, a digit and a symbol: the pool's password policy. */
export function newPassword(): string {
  return `${randomBytes(15).toString('base64url')}-aA1`;
}

interface User {
  readonly UserStatus: string;
  readonly UserAttributes: readonly { readonly Name: string; readonly Value: string }[];
}

/** Creates the owner as an operator would. An incomplete one, or one of a deleted workspace, is replaced. */
export async function ensureOwner(pool: OwnersPool, { email, password, workspaceId }: Owner): Promise<void> {
  const Username = email;
  const found = await call(pool, 'AdminGetUser', { Username });
  if (found.ok) {
    const { UserAttributes, UserStatus } = (await found.json()) as User;
    const isTheirs = UserAttributes.some(({ Name, Value }) => Name === CLAIM && Value === workspaceId);
    if (isTheirs && UserStatus === 'CONFIRMED') return;
    await callOrThrow(pool, 'AdminDeleteUser', { Username });
  }
  await callOrThrow(pool, 'AdminCreateUser', {
    Username,
    MessageAction: 'SUPPRESS',
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
      { Name: CLAIM, Value: workspaceId },
    ],
  });
  await callOrThrow(pool, 'AdminSetUserPassword', { Username, Password: password, Permanent: true });
}

async function callOrThrow(pool: OwnersPool, operation: string, body: object): Promise<void> {
  const response = await call(pool, operation, body);
  if (!response.ok) throw new Error(`${operation} failed: ${await response.text()}`);
}

/** Without the SDK, which takes longer to load than all of these calls. */
function call({ endpoint, userPoolId }: OwnersPool, operation: string, body: object): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ UserPoolId: userPoolId, ...body }),
  });
}
