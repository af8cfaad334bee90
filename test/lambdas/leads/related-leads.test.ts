import { describe, expect, test } from '@jest/globals';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';
import type { Sender } from '../submission/submission-fixture.ts';
import { indexNow } from './lead-fixture.ts';

describe('related leads', () => {
  const fixture = openOwnerFixture();
  const { lead, leads, accept } = indexNow(fixture);

  async function relatedTo(sender: Pick<Sender, 'workspaceId'>, leadId: string) {
    const { body } = await fixture.ownerOf(sender.workspaceId).get(`/leads/${leadId}/related`);
    return body as { leads: { submissionId: string }[]; more: boolean };
  }
  const idsOf = ({ leads }: { leads: { submissionId: string }[] }) => leads.map((each) => each.submissionId);

  test('have the same address in any spelling, of all forms, newest first', async () => {
    const sender = await fixture.newSender();
    const otherForm = { ...sender, ...(await fixture.newForm(sender.workspaceId)) };
    const first = await lead(sender, { email: 'Ann@Gmail.com', name: 'Ann' });
    const second = await lead(otherForm, { 'E-Mail': ' ann@gmail.com ', company: 'Blue Sky' });
    const third = await lead(sender, { email: 'Ann <ANN@GMAIL.COM>' });
    await lead(sender, { email: 'joann@gmail.com', name: 'ann@gmail.com' });
    await lead(sender, { email: 'ann+news@gmail.com' });
    // The same person in another workspace is somebody else.
    await lead(await fixture.newSender('Theirs'), { email: 'ann@gmail.com' });
    const found = await relatedTo(sender, first);
    expect(found).toEqual({
      email: 'ann@gmail.com',
      leads: [
        expect.objectContaining({ submissionId: third, email: 'ann@gmail.com', sameEmail: true }),
        expect.objectContaining({
          submissionId: second,
          formId: otherForm.formId,
          company: 'Blue Sky',
          sameEmail: true,
          samePhone: false,
        }),
      ],
      more: false,
    });
    expect(idsOf(await relatedTo(sender, second))).toEqual([third, first]);
  });

  test('have the same phone number, however it is written', async () => {
    const sender = await fixture.newSender();
    const own = await lead(sender, { email: 'one@acme-tools.de', phone: '+49 30 901820' });
    // So many words that the number gets no entry of its own.
    const wordy = await lead(sender, {
      name: 'Karla Lena Mona Nora',
      company: 'Otter Panda Quokka Rabbit',
      phone: '0049 (30) 901820',
    });
    const both = await lead(sender, { email: 'ONE@acme-tools.de', phone: '030 901820', country: 'DE' });
    await lead(sender, { email: 'two@acme-tools.de', phone: '+49 30 9018201' });
    expect((await relatedTo(sender, own)).leads).toEqual([
      expect.objectContaining({ submissionId: both, sameEmail: true, samePhone: true }),
      expect.objectContaining({ submissionId: wordy, sameEmail: false, samePhone: true }),
    ]);
  });

  test('are found for a lead that is not indexed yet', async () => {
    const sender = await fixture.newSender();
    const earlier = await lead(sender, { email: 'ann@acme-tools.de' });
    const newest = await accept(sender, { email: 'Ann@acme-tools.de' });
    expect(idsOf(await relatedTo(sender, newest))).toEqual([earlier]);
  });

  test('are at most 50, and it is said that there are more', async () => {
    const sender = await fixture.newSender();
    const ids = await leads(sender, 51, { email: 'ann@acme-tools.de' });
    const oldest = ids.at(-1) ?? '';
    expect(await relatedTo(sender, oldest)).toMatchObject({ more: false });
    expect(idsOf(await relatedTo(sender, oldest))).toEqual(ids.slice(0, 50));
    const newest = await lead(sender, { email: 'ann@acme-tools.de' });
    const found = await relatedTo(sender, oldest);
    expect(idsOf(found)).toEqual([newest, ...ids.slice(0, 49)]);
    expect(found.more).toBe(true);
  });

  test('leave out what has expired', async () => {
    const sender = await fixture.newSender();
    const owner = fixture.ownerOf(sender.workspaceId);
    const own = await lead(sender, { email: 'ann@acme-tools.de' });
    const keeping = { ...sender, ...(await fixture.newForm(sender.workspaceId)) };
    await owner.patch(`/forms/${keeping.formId}`, { body: { retentionDays: 1 } });
    const expiring = await lead(keeping, { email: 'ann@acme-tools.de' });
    expect(idsOf(await relatedTo(sender, own))).toEqual([expiring]);
    fixture.clock.now += 2 * 24 * 60 * 60 * 1000;
    expect(idsOf(await relatedTo(sender, own))).toEqual([]);
  });
});
