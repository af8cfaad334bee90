import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { makeOffboarding, REMOVED_KINDS, type Removed } from '#operator/offboarding-store.ts';
import { makeRestorer } from '#operator/restore-store.ts';
import { makeAdministration } from '#workspaces/administration.ts';
import { localStack } from '../../local-stack.ts';
import { itemAt } from '../../stored-items.ts';

const { tables, newClient } = localStack();
const client = toDocumentClient(newClient());
const context = { client, tables };
const signal = AbortSignal.timeout(300_000);

/** Everything in any table that names the workspace or the lead: indexes are not trusted. */
async function tracesOf(...ids: readonly string[]) {
  const found: { table: string; item: unknown }[] = [];
  for (const [table, TableName] of Object.entries(tables)) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
      const items = Items.filter((item) => ids.some((id) => JSON.stringify(item).includes(id)));
      found.push(...items.map((item) => ({ table, item })));
    }
  }
  return found;
}

async function offboard(workspaceId: string) {
  let isBegun = false;
  // Time passes at once, so that nothing has to settle.
  function now(): number {
    const moment = Date.now() + (isBegun ? 120_000 : 0);
    isBegun = true;
    return moment;
  }
  const removed = Object.fromEntries(REMOVED_KINDS.map((kind) => [kind, 0])) as Removed;
  const offboarding = makeOffboarding({ ...context, now, owners: undefined, forgottenAfterMilliseconds: 0 });
  return offboarding.run(workspaceId, { removed, onStep: () => undefined }, signal);
}

test("secrets of a form's provider can be restored, and nothing of them is left after an offboarding", async () => {
  const administration = makeAdministration({ ...context, now: Date.now, randomBytes });
  const { workspaceId } = await administration.createWorkspace({ name: 'With a provider' });
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact' });
  await administration.setFormProvider(formId, { name: 'tally' });
  const [previous, current] = [randomUUID(), randomUUID()];
  await administration.setProviderSecret({ formId, secret: previous });
  await administration.setProviderSecret({ formId, secret: current, graceMilliseconds: 60_000 });

  const TableName = tables.formSecrets;
  const Key = { slug, formId };
  const item = (await itemAt(client, TableName, Key)) ?? {};
  expect(item).toMatchObject({ providerSecret: current, previousProviderSecret: previous, v: 1 });
  await client.send(new DeleteCommand({ TableName, Key }));
  const tally = { restored: 0, present: 0, expired: 0 };
  await makeRestorer({ ...context, now: Date.now }).put('formSecrets', [item], Date.now(), tally, signal);
  expect(await itemAt(client, TableName, Key)).toEqual(item);

  expect(await offboard(workspaceId)).toBe('gone');
  expect(await tracesOf(workspaceId, formId, current, previous)).toEqual([]);
});
