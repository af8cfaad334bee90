import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Sender, submissionId } from '../submission/workbench.ts';
import { openOwnerWorkbench } from './owner-workbench.ts';

const NOON = Date.parse('2026-11-15T12:00:10Z');
const DAY = 24 * 60 * 60 * 1000;
const bench = openOwnerWorkbench(NOON);

beforeEach(() => {
  bench.clock.now = NOON;
});

const of = ({ workspaceId }: Sender) => bench.ownerOf(workspaceId);
const keep = (sender: Sender, retentionDays: unknown) =>
  of(sender).patch(`/forms/${sender.formId}`, { body: { retentionDays } });

describe('how long leads of a form are kept', () => {
  test('is for ever, then as the owner says, then for ever again', async () => {
    const sender = await bench.newSender();
    const at = `/forms/${sender.formId}`;
    expect((await of(sender).get(at)).body).toMatchObject({ retentionDays: null });
    expect((await keep(sender, 30)).body).toMatchObject({ retentionDays: 30, name: 'Contact' });
    expect((await of(sender).patch(at, { body: { name: 'Renamed' } })).body).toMatchObject({
      retentionDays: 30,
    });
    expect((await of(sender).get(at)).body).toMatchObject({ retentionDays: 30, name: 'Renamed' });
    expect((await keep(sender, null)).body).toMatchObject({ retentionDays: null, name: 'Renamed' });
    expect((await of(sender).get(at)).body).toMatchObject({ retentionDays: null });
  });

  test.each([1, 3_650])('may be %i days', async (days) => {
    expect((await keep(await bench.newSender(), days)).status).toBe(200);
  });

  test.each([0, -1, 3_651, 1.5, '30', true, [30], {}])('cannot be %j', async (days) => {
    const sender = await bench.newSender();
    const { status, body } = await keep(sender, days);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { field: 'retentionDays', problem: 'must be a whole number from 1 to 3650' },
    ]);
    expect((await of(sender).get(`/forms/${sender.formId}`)).body.retentionDays).toBeNull();
  });

  test('is nobody else’s to change', async () => {
    const [sender, stranger] = [await bench.newSender(), await bench.newSender()];
    const { status } = await of(stranger).patch(`/forms/${sender.formId}`, { body: { retentionDays: 1 } });
    expect(status).toBe(404);
    expect((await of(sender).get(`/forms/${sender.formId}`)).body.retentionDays).toBeNull();
  });

  test('stays as it is on an archived form', async () => {
    const sender = await bench.newSender();
    await of(sender).post(`/forms/${sender.formId}/archive`);
    expect((await keep(sender, 30)).status).toBe(409);
  });
});

test('a lead says until when it is kept, and then is not found', async () => {
  const sender = await bench.newSender();
  const ingest = bench.newEnvironment();
  const before = submissionId(await ingest.webhook(sender));
  await keep(sender, 7);
  const after = submissionId(await ingest.webhook(sender));
  const owner = of(sender);
  expect((await owner.get(`/leads/${before}`)).body).not.toHaveProperty('keptUntil');
  expect((await owner.get(`/leads/${after}`)).body.keptUntil).toBe(new Date(NOON + 7 * DAY).toISOString());

  bench.clock.now = NOON + 7 * DAY;
  expect((await owner.get(`/leads/${after}`)).status).toBe(404);
  const { body } = await owner.get(`/forms/${sender.formId}/leads`);
  expect(body.rows.map(({ leadId }: { leadId: string }) => leadId)).toEqual([before]);
});
