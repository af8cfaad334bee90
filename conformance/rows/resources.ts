import { randomUUID } from 'node:crypto';
import { expectAccepted, expectEqual, expectRejected, expectThat } from '../checks/expectations.ts';
import { Mismatch } from '../report/mismatch.ts';
import { BOTH, DECIDED, ONLY_1A, ONLY_1B, type Section, type Trial } from '../row.ts';
import { listedLeads } from '../world/listed-leads.ts';

const key = (value: string) => ({ headers: { 'X-SVC-Idempotency-Key': value } });

/** Of another workspace, and of nobody: an owner must not be able to tell them apart. */
async function checkForeignIds({ world }: Trial): Promise<void> {
  const { formId } = world.other.sender;
  const leadId = expectAccepted(await world.submit('1a', world.other.sender));
  const unknown = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
  for (const path of [
    (id: string) => `/forms/${id}`,
    (id: string) => `/forms/${id}/delivery`,
    (id: string) => `/forms/${id}/leads`,
  ]) {
    await expectNoDifference(world, path(formId), path(unknown(formId)));
  }
  await expectNoDifference(world, `/leads/${leadId}`, `/leads/${unknown(leadId)}`);
  expectEqual(
    (await world.other.owner.lead(leadId)).formId,
    formId,
    'the form of the lead, for its own owner',
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
  expectThat(mine !== theirs, 'a submission of its own in each workspace', 'the same submission_id');
}

async function checkSlugsApart({ world }: Trial): Promise<void> {
  const { owner } = world.changing;
  const newForm = () => owner.must<{ slug: string }>('POST', '/forms', { name: 'Same name' });
  const [one, other] = [await newForm(), await newForm()];
  expectThat(one.slug !== other.slug, 'two forms of one name to have two slugs', one.slug);
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
  const cells = rows.find(({ leadId }) => leadId === id)?.cells ?? [];
  const cellOf = (name: string) => cells[columns.indexOf(name)];
  expectEqual([cellOf('first'), cellOf('second')], ['one', '2'], 'the fields of the lead');
  expectThat(!columns.includes('third'), 'nested values to be no column', columns);
  expectEqual((await world.ownerOf(sender).lead(id)).body, body, 'what is stored');
}

async function checkNoLeads({ world }: Trial): Promise<void> {
  for (const sender of world.rejectedOnly) {
    const { status, text } = await world.ownerOf(sender).call('GET', `/forms/${sender.formId}/leads`);
    // The form of one row is gone, and so is every way to its leads.
    if (status === 404) continue;
    const { rows } = JSON.parse(text) as { rows: unknown[] };
    expectThat(rows.length === 0, 'no lead of a form that saw only rejections', `${rows.length} leads`);
  }
  if (world.rejectedOnly.size === 0) throw new Mismatch('rejections to look at', 'none');
}

async function checkNewToken({ world, surface }: Trial): Promise<void> {
  const { owner, newSender } = world.changing;
  const sender = await newSender();
  const made = await owner.must<{ token: string }>('POST', '/tokens', { formId: sender.formId });
  expectThat(made.token.startsWith('ingt_srv_'), 'a token that starts with ingt_srv_', 'another one');
  expectAccepted(await world.submit(surface, { ...sender, token: made.token }));
}

export const RESOURCES: readonly Section[] = [
  {
    title: 'Resources: workspace',
    rows: [
      {
        rule: 'Forms and leads belong to one workspace: to the owner of another they do not exist',
        check: checkForeignIds,
      },
      {
        rule: 'Rate limits are of the workspace: when one is used up, another takes leads',
        when: 'burst',
        async check({ world }) {
          expectAccepted((await world.burst()).otherWorkspace);
        },
      },
      {
        rule: 'Idempotency keys are of the workspace: in another, the same key is another submission',
        surfaces: BOTH,
        check: checkKeysApart,
      },
    ],
  },
  {
    title: 'Resources: form',
    rows: [
      { rule: 'A named definition of the fields that are submitted', check: checkFields },
      { rule: 'Each form has a slug of its own', check: checkSlugsApart },
      {
        rule: 'The slug is the path segment on Surface 1b, and names the form of the lead',
        surfaces: ONLY_1B,
        async check({ world, sender, submit }) {
          const { formId } = await world.ownerOf(sender).lead(expectAccepted(await submit()));
          expectEqual(formId, sender.formId, 'the form of the lead');
        },
      },
    ],
  },
  {
    title: 'Resources: lead',
    rows: [
      {
        rule: 'Is created by an accepted submission, and attributed to the form that it came in through',
        surfaces: BOTH,
        async check({ world, sender, surface, submit }) {
          const lead = await world.ownerOf(sender).lead(expectAccepted(await submit()));
          expectEqual([lead.formId, lead.surface], [sender.formId, surface], 'form and surface of the lead');
        },
      },
      {
        rule: 'Every top-level key becomes a field; nested values are stored, and are no columns',
        surfaces: BOTH,
        check: checkColumns,
      },
      { rule: 'Is not created by any submission that was rejected', when: 'last', check: checkNoLeads },
    ],
  },
  {
    title: 'Resources: ingest token',
    rows: [
      {
        rule: 'Is made in the settings area, starts with ingt_srv_, and is accepted at once',
        surfaces: ONLY_1A,
        check: checkNewToken,
      },
      {
        rule: 'Its leads are those of the form that it was made for',
        surfaces: ONLY_1A,
        note: DECIDED,
        async check({ world, sender, submit }) {
          const { formId } = await world.ownerOf(sender).lead(expectAccepted(await submit()));
          expectEqual(formId, sender.formId, 'the form of the lead');
        },
      },
      { rule: 'Is long-lived', skipped: 'a run is short; the service gives tokens no end' },
    ],
  },
  {
    title: 'Resources: submission result',
    rows: [
      {
        rule: 'submission_id: a UUID, with 202 only',
        surfaces: BOTH,
        async check({ submit }) {
          expectAccepted(await submit());
        },
      },
      {
        rule: 'status: the constant "rejected", with the opaque 200 only',
        surfaces: BOTH,
        async check({ submit }) {
          expectRejected(await submit({ body: '[]' }));
        },
      },
    ],
  },
];
