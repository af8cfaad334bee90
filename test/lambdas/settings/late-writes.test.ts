import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/document-client.ts';
import { recordCalls } from '#local/workbench/recorded-calls.ts';
import { makeAdministration } from '#settings/administration/administration.ts';
import { localStack } from '../../local-stack.ts';

/*
 * The story: an owner rotates a secret, the request hangs inside DynamoDB, the owner repeats it and is shown a secret.
 * Then the first request is carried out after all, and a secret that nobody has ever seen is the one that counts.
 */

const stack = localStack();
const HOUR = 3_600_000;

function newHand() {
  const rawClient = stack.newClient();
  const client = toDocumentClient(rawClient);
  const context = { client, tables: stack.tables, now: Date.now, randomBytes };
  return { ...makeAdministration(context), client, calls: recordCalls(rawClient) };
}

/** What an administration promises, in the owner's hand that does it now. */
const now = newHand();

/** Begins a change whose write to a table is held back, and gives the means to let it through. */
async function heldBack(table: string, change: (hand: ReturnType<typeof newHand>) => Promise<unknown>) {
  const hand = newHand();
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<undefined>();
  let isFirst = true;
  hand.calls.injectBefore((command, input) => {
    if (command !== 'UpdateItem' || (input as UpdateCommandInput).TableName !== table) return undefined;
    // The process that sent it is gone by then: of all that it would have done, only this one write arrives.
    if (!isFirst) return new Error('nobody is there any more');
    isFirst = false;
    reached.resolve();
    return released.promise;
  });
  const outcome = change(hand).then(
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
  const { workspaceId } = await now.createWorkspace({ name: 'Late' });
  const { formId, slug } = await now.createForm({ workspaceId, name: 'Contact' });
  const { secret } = await now.setSecret({ formId });
  return { workspaceId, formId, slug, secret };
}

async function stored(TableName: string, Key: Record<string, string>): Promise<Record<string, unknown>> {
  const { Item } = await now.client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item ?? {};
}

const { tables } = stack;
const secretsOf = ({ slug, formId }: { slug: string; formId: string }) =>
  stored(tables.formSecrets, { slug, formId });

describe('a write that was given up changes nothing when it arrives after another was answered:', () => {
  test('a rotation after its repetition', async () => {
    const form = await newForm();
    const first = await heldBack(tables.formSecrets, (hand) => hand.rotateSecret(form));
    const { secret } = await now.rotateSecret(form);
    await first.arrives();
    expect(await secretsOf(form)).toMatchObject({ secret });
  });

  test('a rotation with grace after its repetition', async () => {
    const form = await newForm();
    const rotation = { ...form, graceMilliseconds: HOUR };
    const first = await heldBack(tables.formSecrets, (hand) => hand.rotateSecret(rotation));
    const { secret } = await now.rotateSecret(rotation);
    await first.arrives();
    expect(await secretsOf(form)).toMatchObject({ secret, previousSecret: form.secret });
  });

  test('the first secret of a form after its repetition', async () => {
    const { workspaceId } = await now.createWorkspace({ name: 'Late' });
    const form = await now.createForm({ workspaceId, name: 'Contact' });
    const first = await heldBack(tables.formSecrets, (hand) => hand.setSecret({ formId: form.formId }));
    const { secret } = await now.setSecret({ formId: form.formId });
    await first.arrives();
    expect(await secretsOf(form)).toMatchObject({ secret });
  });

  test('an end of a grace period after a new one was begun', async () => {
    const form = await newForm();
    await now.rotateSecret({ ...form, graceMilliseconds: HOUR });
    const first = await heldBack(tables.formSecrets, (hand) => hand.endGrace(form.formId));
    await now.endGrace(form.formId);
    await now.rotateSecret({ ...form, graceMilliseconds: HOUR });
    await first.arrives();
    expect(await secretsOf(form)).toHaveProperty('previousSecret');
  });

  test('switching a form off after it was switched on', async () => {
    const form = await newForm();
    const first = await heldBack(tables.forms, (hand) => hand.setFormActive({ ...form, active: false }));
    await now.setFormActive({ ...form, active: true });
    await first.arrives();
    expect(await stored(tables.forms, { slug: form.slug, formId: form.formId })).toMatchObject({
      active: true,
    });
  });

  test('suspending a workspace after it was resumed', async () => {
    const { workspaceId } = await newForm();
    const first = await heldBack(tables.workspaces, (hand) => hand.suspendWorkspace(workspaceId));
    await now.resumeWorkspace(workspaceId);
    await first.arrives();
    expect(await stored(tables.workspaces, { workspaceId })).toMatchObject({ status: 'active' });
  });
});

describe('two at the same time', () => {
  test('both come to an end, and the form has what the later one wrote', async () => {
    const form = await newForm();
    const wanted = [true, false, true, false];
    const answers = await Promise.all(
      wanted.map((active) => newHand().setFormActive({ formId: form.formId, active })),
    );
    expect(answers.map(({ active }) => active)).toEqual(wanted);
    expect(await stored(tables.forms, { slug: form.slug, formId: form.formId })).toMatchObject({
      revision: 4,
    });
  });

  test('of two rotations, the secret of the one that was overtaken is not shown', async () => {
    const form = await newForm();
    const outcomes = await Promise.allSettled([newHand().rotateSecret(form), newHand().rotateSecret(form)]);
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

test('a rotation whose answer was lost, and that the SDK repeated, is done once and keeps the secret in use', async () => {
  const form = await newForm();
  const hand = newHand();
  let isFirst = true;
  hand.calls.injectAfter((_, input) => {
    if (!isFirst || (input as UpdateCommandInput).UpdateExpression === undefined) return undefined;
    isFirst = false;
    // What the repetition meets: the first attempt has changed the item that both had read.
    return new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });
  });
  const { secret, previousWorksUntil } = await hand.rotateSecret({ ...form, graceMilliseconds: HOUR });
  expect(previousWorksUntil).toBeDefined();
  expect(await secretsOf(form)).toMatchObject({ secret, previousSecret: form.secret, revision: 2 });
});
