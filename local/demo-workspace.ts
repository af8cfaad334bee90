import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type TableNames, toDocumentClient } from '../lambdas/aws/dynamodb.ts';
import { OUTPUTS, type TableKey, WORKSPACE_ATTRIBUTE } from '../lambdas/contract.ts';
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
export async function seedDemo(settings: SeedSettings): Promise<Demo> {
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
  await ensureOwner(
    { endpoint: settings.cognitoEndpoint, userPoolId: output(settings.outputs, OUTPUTS.userPoolId) },
    { email: demo.ownerEmail, password: demo.ownerPassword, workspaceId: demo.workspaceId },
  );
  return demo;
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
