import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StackOutputs } from '../../bin/operator/stack-outputs.ts';
import type { Sender } from '../../conformance/world/submission.ts';
import { makeApiKeys } from '../../lambdas/access/api-keys-store.ts';
import { CONSOLE_HEADER } from '../../lambdas/contract.ts';
import { readMailedCode } from '../browser/owners.ts';
import { runLeadctl } from '../leadctl/run-leadctl.ts';
import type { Stack } from '../released/everything.ts';
import { until } from '../until.ts';
import type { CallSettings } from './traffic.ts';

/** The owner of the demo workspace, whom nobody else needs. */
const EMAIL = 'owner@example.com';

export async function callMembers(call: CallSettings, stack: Stack, { workspaceId }: Sender): Promise<void> {
  const email = `invited-${randomUUID()}@example.com`;
  const { memberId } = await call<{ memberId: string }>('POST', '/members', { email, role: 'viewer' });
  await call('POST', '/members', { email: EMAIL, role: 'viewer' });
  await call('PATCH', `/members/${memberId}`, { role: 'owner' });
  await call('GET', '/members');
  await forgetFirstRequest(stack, workspaceId);
  const apiKeys = makeApiKeys({ ...stack, now: Date.now, randomBytes })(workspaceId);
  const key = { name: 'Theirs', scopes: ['stats:read'], createdBy: email, createdById: memberId } as const;
  await apiKeys.create(key);
  await until(apiKeys.list, (keys) => keys.length > 0);
  await call('DELETE', `/members/${memberId}?revokeApiKeys=true`);
}

/** As if the owner had been invited and never sent a request: the next one is noted. */
async function forgetFirstRequest({ client, tables }: Stack, workspaceId: string) {
  const query = new QueryCommand({
    TableName: tables.members,
    KeyConditionExpression: 'workspaceId = :workspaceId',
    FilterExpression: 'attribute_exists(joinedAt)',
    ExpressionAttributeValues: { ':workspaceId': workspaceId },
  });
  const { Items: [me] = [] } = await client.send(query);
  const Key = { workspaceId, memberId: me?.memberId };
  const UpdateExpression = 'REMOVE joinedAt';
  await client.send(new UpdateCommand({ TableName: tables.members, Key, UpdateExpression }));
}

/** Resets a password as the console does, which ends all sessions with the function's own permission. */
export async function resetPassword(outputsFile: string, outputs: StackOutputs): Promise<void> {
  const { localCognitoEndpoint = '', userPoolId = '', userPoolClientId, consoleUrl } = outputs;
  const target = 'AWSCognitoIdentityProviderService.ForgotPassword';
  await fetch(localCognitoEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    body: JSON.stringify({ ClientId: userPoolClientId, Username: EMAIL }),
  });
  const code = readMailedCode(outputsFile, userPoolId, EMAIL);
  const response = await fetch(`${consoleUrl}/session`, {
    method: 'PATCH',
    headers: { [CONSOLE_HEADER]: '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, code, newPassword: 'Another-one-2' }),
  });
  if (response.status !== 204) throw new Error(`The password was not reset: ${response.status}`);
}

/** The recipient of a destination confirms with the link in the mail, and later the mail bounces. */
export async function respondToMail(
  outputsFile: string,
  { workspaceId, destinationId, email }: Readonly<Record<'workspaceId' | 'destinationId' | 'email', string>>,
): Promise<void> {
  const folder = join(dirname(outputsFile), 'mail');
  const mailsTo = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .filter((mail) => mail.includes(`To: ${email}`));
  const received = (count: number) =>
    until(
      async () => mailsTo(),
      (mails) => mails.length >= count,
    );
  const [asked = ''] = await received(1);
  const [confirm = ''] = asked.match(/^http\S+$/m) ?? [];
  for (const method of ['GET', 'POST']) {
    const { status } = await fetch(confirm, { method });
    if (status !== 200) throw new Error(`${method} of a link: ${status}`);
  }
  await received(2);
  const of = ['--workspace', workspaceId, '--destination', destinationId];
  const { stderr } = await runLeadctl(['--outputs', outputsFile, 'mail', 'bounce', ...of], { stdin: '' });
  if (stderr !== '') throw new Error(stderr);
}
