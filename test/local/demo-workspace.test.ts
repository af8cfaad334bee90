import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { OUTPUTS } from '#contract';
import { banner } from '#local/banner.ts';
import { type CheckedDemo, seedDemo } from '#local/demo-workspace.ts';
import type { LocalStack } from '#local/start-local-stack.ts';
import { makeAdministration } from '#workspaces/administration.ts';
import { localStack } from '../local-stack.ts';
import { openTestCognito } from './support/settings-fixture.ts';

const { tables, newClient } = localStack();
const client = newClient();
const documents = toDocumentClient(client);
const administration = makeAdministration({ client: documents, tables, now: Date.now, randomBytes });

const cognito = await openTestCognito();
let first: CheckedDemo['demo'];
afterAll(async () => {
  client.destroy();
  await cognito.close();
  cognito.remove();
});
beforeEach(async () => {
  first = (await start({ databaseIsNew: true })).demo;
});

function start({ databaseIsNew = false } = {}): Promise<CheckedDemo> {
  const names = Object.entries(OUTPUTS.tables).map(([key, name]) => [
    name,
    tables[key as keyof typeof tables],
  ]);
  return seedDemo({
    client,
    databaseIsNew,
    demoFile: join(cognito.directory, 'demo'),
    cognitoEndpoint: cognito.endpoint,
    outputs: {
      ...Object.fromEntries(names),
      [OUTPUTS.userPoolId]: cognito.reader.ref('Owners'),
      [OUTPUTS.userPoolClientId]: cognito.reader.ref('OwnersClient'),
    },
  });
}

/** What is printed at the next start, cut at what does not depend on the demo. */
async function nextBanner(): Promise<string> {
  const { demo, rejected: demoRejected } = await start();
  const stack = { demo, demoRejected, outputs: {}, routes: [], outputsFile: 'my data/outputs.json' };
  return banner(stack as unknown as LocalStack, 'my data').split('Show a lead')[0] as string;
}

const COMMAND = "npx --no-install leadctl --outputs 'my data/outputs.json'";
const id = (name: 'workspaceId' | 'formId') => first[name] as string;

describe('the demo workspace at the next start', () => {
  test('unchanged, everything works and is printed; the check leaves no session behind', async () => {
    expect(await start()).toEqual({ demo: first, rejected: {} });
    expect(Object.values(first)).not.toContain(null);
    const printed = await nextBanner();
    for (const name of ['serverToken', 'webhookSecret', 'ownerPassword'] as const) {
      expect(printed).toContain(first[name]);
    }
    const pool = readFileSync(join(cognito.directory, `${cognito.reader.ref('Owners')}.json`), 'utf8');
    expect(pool).toMatch(/"RefreshTokens": \[\]/);
  });

  test('a revoked token is null, and the banner says how to make another', async () => {
    const { listTokens, revokeToken } = administration;
    const [token] = await listTokens(id('workspaceId'));
    await revokeToken(token?.tokenId as string);
    expect((await start()).demo).toEqual({ ...first, serverToken: null });
    const printed = await nextBanner();
    expect(printed).toContain(`${COMMAND} token create --form ${first.formId}\n`);
    expect(printed).not.toContain(first.serverToken);
    expect(printed).toContain(first.webhookSecret);
  });

  test('a changed secret is null; one in its grace period still works', async () => {
    await administration.rotateSecret({ formId: id('formId'), graceMilliseconds: 3_600_000 });
    expect((await start()).demo).toEqual(first);
    await administration.setSecret({ formId: id('formId') });
    expect((await start()).demo).toEqual({ ...first, webhookSecret: null });
    const printed = await nextBanner();
    expect(printed).toContain(`${COMMAND} send --surface 1b --form ${first.formId} --use-form-secret\n`);
    expect(printed).not.toContain(first.webhookSecret);
  });

  test.each([
    [
      'a suspended workspace',
      () => administration.suspendWorkspace(id('workspaceId')),
      'workspace resume ws_',
    ],
    [
      'an inactive form',
      () => administration.setFormActive({ formId: id('formId'), active: false }),
      'form activate form_',
    ],
  ])('%s accepts neither token nor secret', async (_, change, command) => {
    await change();
    expect((await start()).demo).toEqual({ ...first, serverToken: null, webhookSecret: null });
    expect((await nextBanner()).split(`${COMMAND} ${command}`)).toHaveLength(3);
  });

  test('a changed password is null, and the banner says how to reset it', async () => {
    await cognito.call('AdminSetUserPassword', {
      UserPoolId: cognito.reader.ref('Owners'),
      Username: first.ownerEmail,
      Password: 'Another-password-1',
      Permanent: true,
    });
    expect((await start()).demo).toEqual({ ...first, ownerPassword: null });
    const printed = await nextBanner();
    expect(printed).toContain(`${COMMAND} owner reset-password --email ${first.ownerEmail}\n`);
    expect(printed).not.toContain('InitiateAuth');
  });

  test('of a removed workspace nothing is left, and its owner is not made again', async () => {
    const { workspaceId, formId, slug } = first;
    const remove = (TableName: string, Key: object) => documents.send(new DeleteCommand({ TableName, Key }));
    await remove(tables.workspaces, { workspaceId });
    await remove(tables.forms, { slug, formId });
    const user = { UserPoolId: cognito.reader.ref('Owners'), Username: first.ownerEmail };
    await cognito.call('AdminDeleteUser', user);
    expect(new Set(Object.values((await start()).demo))).toEqual(new Set([null]));
    expect((await cognito.call('AdminGetUser', user)).status).toBe(400);
    expect(await nextBanner()).toContain(`${COMMAND} workspace create --name Demo\n`);
  });
});
