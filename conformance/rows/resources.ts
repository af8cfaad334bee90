import { randomUUID } from 'node:crypto';
import { expectAccepted, expectEqual, expectThat, Mismatch } from '../checks/expectations.ts';
import { BOTH, DECIDED, ONLY_1A, ONLY_1B, type Section, type Trial } from '../row.ts';
import { listedLeads } from '../world/world.ts';

const key = (value: string) => ({ headers: { 'X-SVC-Idempotency-Key': value } });

/** An owner cannot tell the id of another workspace from an unknown one. */
async function checkForeignIds({ world }: Trial): Promise<void> {
  const { formId } = world.other.sender;
  const submissionId = expectAccepted(await world.submit('1a', world.other.sender));
  const unknown = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
  for (const path of [
    (id: string) => `/forms/${id}`,
    (id: string) => `/forms/${id}/delivery`,
    (id: string) => `/forms/${id}/leads`,
  ]) {
    await expectNoDifference(world, path(formId), path(unknown(formId)));
  }
  await expectNoDifference(world, `/leads/${submissionId}`, `/leads/${unknown(submissionId)}`);
  expectEqual(
    (await world.other.owner.lead(submissionId)).formId,
    formId,
    'the form of the lead, as its own owner sees it',
  );
}

async function expectNoDifference({ main }: Trial['world'], foreign: string, unknown: string): Promise<void> {
  const [theirs, nobodys] = [await main.owner.call('GET', foreign), await main.owner.call('GET', unknown)];
  const kind = foreign.replace(/[^/]*\d[^/]*/, '…');
  expectThat(
    theirs.status === 404,
    `404 for ${kind} of another workspace`,
    `${theirs.status} ${theirs.text}`,
  );
  expectEqual(theirs, nobodys, `the answer for ${kind} of another workspace`);
}

async function checkKeysApart({ world, surface, submit }: Trial): Promise<void> {
  const same = key(randomUUID());
  const mine = expectAccepted(await submit(same));
  const theirs = expectAccepted(await world.submit(surface, world.other.sender, same));
  expectThat(mine !== theirs, 'one submission per workspace', 'the same submission_id');
}

async function checkSlugsApart({ world }: Trial): Promise<void> {
  const { owner } = world.changing;
  const newForm = () => owner.must<{ slug: string }>('POST', '/forms', { name: 'Same name' });
  const [one, other] = [await newForm(), await newForm()];
  expectThat(one.slug !== other.slug, 'two forms with the same name to have two slugs', one.slug);
}

async function checkFields({ world }: Trial): Promise<void> {
  const { owner } = world.changing;
  const { formId } = await owner.must<{ formId: string }>('POST', '/forms', { name: 'With fields' });
  const fields = [{ key: 'work_mail', label: 'E-mail at work', role: 'email' }];
  await owner.must('PATCH', `/forms/${formId}`, { fields });
  const form = await owner.must<{ name: string; fields: unknown }>('GET', `/forms/${formId}`);
  expectEqual([form.name, form.fields], ['With fields', fields], 'the form');
}

async function checkColumns({ world, sender, submit }: Trial): Promise<void> {
  const body = '{"first":"one","second":2,"third":{"nested":"three"}}';
  const id = expectAccepted(await submit({ body }));
  const { columns, rows } = await listedLeads(world, sender);
  const cells = rows.find(({ submissionId }) => submissionId === id)?.cells ?? [];
  const cellOf = (name: string) => cells[columns.indexOf(name)];
  expectEqual([cellOf('first'), cellOf('second')], ['one', '2'], 'the fields of the lead');
  expectThat(!columns.includes('third'), 'no column for nested values', columns);
  expectEqual((await world.ownerOf(sender).lead(id)).body, body, 'what is stored');
}

async function checkNoLeads({ world }: Trial): Promise<void> {
  for (const sender of world.rejectedOnly) {
    const { status, text } = await world.ownerOf(sender).call('GET', `/forms/${sender.formId}/leads`);
    // One row deletes its form, and with it the way to its leads.
    if (status === 404) continue;
    const { rows } = JSON.parse(text) as { rows: unknown[] };
    expectThat(rows.length === 0, 'no lead in a form with rejections only', `${rows.length} leads`);
  }
  if (world.rejectedOnly.size === 0) throw new Mismatch('rejected submissions', 'none');
}

async function checkNewToken({ world, surface }: Trial): Promise<void> {
  const { owner, newSender } = world.changing;
  const sender = await newSender();
  const made = await owner.must<{ token: string }>('POST', '/tokens', { formId: sender.formId });
  expectThat(made.token.startsWith('ingt_srv_'), 'a token that starts with ingt_srv_', 'another one');
  expectAccepted(await world.submit(surface, { ...sender, token: made.token }));
}

async function checkForm({ world, sender, submit, surface }: Trial): Promise<void> {
  const lead = await world.ownerOf(sender).lead(expectAccepted(await submit()));
  expectEqual([lead.formId, lead.surface], [sender.formId, surface], 'form and surface of the lead');
}

export const RESOURCES: readonly Section[] = [
  {
    id: 'workspace',
    title: 'Resources: workspace',
    rows: [
      {
        id: 'separate',
        rule: 'Forms and leads belong to one workspace: owners of another get 404',
        check: checkForeignIds,
      },
      {
        id: 'own-limits',
        rule: 'Rate limits are per workspace: when one has used them up, another still accepts leads',
        when: 'burst',
        async check({ world }) {
          expectAccepted((await world.burst()).otherWorkspace);
        },
      },
      {
        id: 'own-keys',
        rule: 'Idempotency keys are per workspace: in another, the same key is another submission',
        surfaces: BOTH,
        check: checkKeysApart,
      },
    ],
  },
  {
    id: 'form',
    title: 'Resources: form',
    rows: [
      { id: 'fields', rule: 'A named definition of the fields being submitted', check: checkFields },
      { id: 'unique-slug', rule: 'Each form has a unique slug', check: checkSlugsApart },
      {
        id: 'slug-in-path',
        rule: 'The slug is the path segment on Surface 1b, and selects the form of the lead',
        surfaces: ONLY_1B,
        check: checkForm,
      },
    ],
  },
  {
    id: 'lead',
    title: 'Resources: lead',
    rows: [
      {
        id: 'created',
        rule: 'Created by an accepted submission, and attributed to the form it came in through',
        surfaces: BOTH,
        check: checkForm,
      },
      {
        id: 'columns',
        rule: 'Every top-level key becomes a field; nested values are stored, but are not columns',
        surfaces: BOTH,
        check: checkColumns,
      },
      {
        id: 'not-created',
        rule: 'Not created by a rejected submission, in the whole run',
        when: 'last',
        check: checkNoLeads,
      },
    ],
  },
  {
    id: 'token',
    title: 'Resources: ingest token',
    rows: [
      {
        id: 'created',
        rule: 'Created in the settings area, starts with ingt_srv_, and is accepted at once',
        surfaces: ONLY_1A,
        check: checkNewToken,
      },
      {
        id: 'bound',
        rule: 'Its leads go to the form that it was created for',
        surfaces: ONLY_1A,
        note: DECIDED,
        check: checkForm,
      },
      { id: 'long-lived', rule: 'Is long-lived', skipped: 'a run is short; tokens do not expire' },
    ],
  },
  {
    id: 'result',
    title: 'Resources: submission result',
    rows: [
      { id: 'accepted', rule: 'submission_id: a UUID, with 202 only', surfaces: BOTH, expect: 'accepted' },
      {
        id: 'rejected',
        rule: 'status: the constant "rejected", with the opaque 200 only',
        surfaces: BOTH,
        send: { body: '[]' },
        expect: 'rejected',
      },
    ],
  },
];
