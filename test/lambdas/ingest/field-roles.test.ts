import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { makeOwnerAdministration } from '#settings/administration/administration.ts';
import { openWorkbench, submissionId } from './workbench.ts';

const bench = openWorkbench();
const administrationOf = makeOwnerAdministration({
  client: bench.observer,
  tables: bench.stack.tables,
  now: () => bench.clock.now,
  randomBytes,
});

const BODY = JSON.stringify({
  email: 'grace@navy.mil',
  friend: 'ada@analytical-engines.co.uk',
  name: 'Grace Hopper',
  message: 'Please call me back about the loom, we need two of them by spring.',
});

test.each(['1a', '1b'] as const)(
  'leads on surface %s keep the roles of a form that differ',
  async (surface) => {
    const sender = await bench.newSender();
    const { formId, workspaceId } = sender;
    const ingest = bench.newEnvironment();
    const owner = administrationOf(workspaceId);
    const rolesAfter = async (fields: { key: string; role: string }[]) => {
      await owner.updateForm(formId, { fields });
      const leadId = submissionId(await ingest.send(surface, sender, { body: BODY }));
      return (await bench.leadById(leadId))?.roles;
    };
    expect(await rolesAfter([{ key: 'email', role: 'email' }])).toBeUndefined();
    expect(await rolesAfter([{ key: 'friend', role: 'email' }])).toEqual({
      email: 'friend',
      name: 'name',
      message: 'message',
    });
  },
);
