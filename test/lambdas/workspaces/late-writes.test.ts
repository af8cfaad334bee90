import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import { makeAdministration } from '#workspaces/administration.ts';
import { localStack } from '../../local-stack.ts';
import { itemAt } from '../../stored-items.ts';

/*
 * An owner rotates a secret, the request hangs inside DynamoDB, the owner repeats it and is shown a secret.
 * Then the first request is carried out after all, and a secret that nobody has seen must not become the valid one.
 */

const stack = localStack();
const HOUR = 3_600_000;

function newAdministration() {
  const rawClient = stack.newClient();
  const client = toDocumentClient(rawClient);
  const context = { client, tables: stack.tables, now: Date.now, randomBytes };
  return { ...makeAdministration(context), client, calls: recordCalls(rawClient) };
}

/** The administration that makes the later change. */
const administration = newAdministration();

/** Begins a change whose write to a table is delayed; returns the function that lets it through. */
async function delayWrite(
  table: string,
  change: (other: ReturnType<typeof newAdministration>) => Promise<unknown>,
) {
  const other = newAdministration();
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<undefined>();
  let isFirst = true;
  other.calls.injectBefore((command, input) => {
    if (command !== 'UpdateItem' || (input as UpdateCommandInput).TableName !== table) return undefined;
    // The process that sent it has ended by then: only this one write arrives.
    if (!isFirst) return new Error('the process has ended');
    isFirst = false;
    reached.resolve();
    return released.promise;
  });
  const outcome = change(other).then(
    () => 'done',
    () => 'refused',
  );
  await reached.promise;
  return {
    async arrives() {
      released.resolve(undefined);
      await outcome;
    },
  };
}

async function newForm() {
  const { workspaceId } = await administration.createWorkspace({ name: 'Late' });
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact' });
  const { secret } = await administration.setSecret({ formId });
  return { workspaceId, formId, slug, secret };
}

const stored = async (table: string, key: Record<string, string>) =>
  (await itemAt(administration.client, table, key)) ?? {};

const { tables } = stack;
const secretsOf = ({ slug, formId }: { slug: string; formId: string }) =>
  stored(tables.formSecrets, { slug, formId });

describe('a write that was given up changes nothing if it arrives after a later one:', () => {
  test('a rotation with grace after its repetition', async () => {
    const form = await newForm();
    const rotation = { ...form, graceMilliseconds: HOUR };
    const first = await delayWrite(tables.formSecrets, (other) => other.rotateSecret(rotation));
    const { secret } = await administration.rotateSecret(rotation);
    await first.arrives();
    expect(await secretsOf(form)).toMatchObject({ secret, previousSecret: form.secret });
  });

  test('the first secret of a form after its repetition', async () => {
    const { workspaceId } = await administration.createWorkspace({ name: 'Late' });
    const form = await administration.createForm({ workspaceId, name: 'Contact' });
    const first = await delayWrite(tables.formSecrets, (other) => other.setSecret({ formId: form.formId }));
    const { secret } = await administration.setSecret({ formId: form.formId });
    await first.arrives();
    expect(await secretsOf(form)).toMatchObject({ secret });
  });

  test("a generated secret of the form's provider after its repetition", async () => {
    const form = await newForm();
    await administration.setFormProvider(form.formId, { name: 'tally' });
    const inUse = 'the secret that is in use';
    await administration.setProviderSecret({ ...form, secret: inUse });
    const rotation = { formId: form.formId, graceMilliseconds: HOUR };
    const first = await delayWrite(tables.formSecrets, (other) => other.setProviderSecret(rotation));
    const { secret } = await administration.setProviderSecret(rotation);
    await first.arrives();
    expect(await secretsOf(form)).toMatchObject({ providerSecret: secret, previousProviderSecret: inUse });
  });

  test('an end of a grace period after a new one was begun', async () => {
    const form = await newForm();
    await administration.rotateSecret({ ...form, graceMilliseconds: HOUR });
    const first = await delayWrite(tables.formSecrets, (other) => other.endGrace(form.formId));
    await administration.endGrace(form.formId);
    await administration.rotateSecret({ ...form, graceMilliseconds: HOUR });
    await first.arrives();
    expect(await secretsOf(form)).toHaveProperty('previousSecret');
  });

  test('switching a form off after it was switched on', async () => {
    const form = await newForm();
    const first = await delayWrite(tables.forms, (other) => other.setFormActive({ ...form, active: false }));
    await administration.setFormActive({ ...form, active: true });
    await first.arrives();
    expect(await stored(tables.forms, { slug: form.slug, formId: form.formId })).toMatchObject({
      active: true,
    });
  });

  test('suspending a workspace after it was resumed', async () => {
    const { workspaceId } = await newForm();
    const first = await delayWrite(tables.workspaces, (other) => other.suspendWorkspace(workspaceId));
    await administration.resumeWorkspace(workspaceId);
    await first.arrives();
    expect(await stored(tables.workspaces, { workspaceId })).toMatchObject({ status: 'active' });
  });
});

describe('two concurrent changes', () => {
  test('both succeed, and the form has what the later one wrote', async () => {
    const form = await newForm();
    const wanted = [true, false, true, false];
    const responses = await Promise.all(
      wanted.map((active) => newAdministration().setFormActive({ formId: form.formId, active })),
    );
    expect(responses.map(({ active }) => active)).toEqual(wanted);
    expect(await stored(tables.forms, { slug: form.slug, formId: form.formId })).toMatchObject({
      revision: 4,
    });
  });

  test('of two rotations, the secret that was replaced is not shown', async () => {
    const form = await newForm();
    const outcomes = await Promise.allSettled([
      newAdministration().rotateSecret(form),
      newAdministration().rotateSecret(form),
    ]);
    const shown = outcomes.filter(({ status }) => status === 'fulfilled');
    const { secret } = await secretsOf(form);
    expect(
      shown.map((outcome) => (outcome as PromiseFulfilledResult<{ secret: string }>).value.secret),
    ).toContain(secret);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
    }
  });
});

test('a rotation that the SDK repeats after a lost response is done once and keeps the secret in use', async () => {
  const form = await newForm();
  const other = newAdministration();
  let isFirst = true;
  other.calls.injectAfter((_, input) => {
    if (!isFirst || (input as UpdateCommandInput).UpdateExpression === undefined) return undefined;
    isFirst = false;
    // What the repetition meets: the first attempt has changed the item that both had read.
    return new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });
  });
  const { secret, previousWorksUntil } = await other.rotateSecret({ ...form, graceMilliseconds: HOUR });
  expect(previousWorksUntil).toBeDefined();
  expect(await secretsOf(form)).toMatchObject({ secret, previousSecret: form.secret, revision: 2 });
});
