import { describe, expect, test } from '@jest/globals';
import { signatureOf } from '#model/request-signature.ts';
import { INGEST_URL, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { SAMPLE } from '../submission/submission-fixture.ts';

const NOON = '2026-11-15T12:00:10.000Z';
const fixture = openOwnerFixture(Date.parse(NOON));

async function newForm() {
  const { workspaceId } = await fixture.administration.createWorkspace({ name: 'Analytical Engines' });
  const owner = fixture.ownerOf(workspaceId);
  const { body: form } = await owner.post('/forms', { body: { name: 'Contact us' } });
  return { owner, form, at: `/forms/${form.formId}` };
}

describe('workspace', () => {
  test('shows name, status and the use of both limits on each surface', async () => {
    const sender = await fixture.newSender('Counted');
    const ingest = fixture.newEnvironment();
    await ingest.server(sender);
    await ingest.webhook(sender);
    await ingest.webhook(sender);
    const { status, body, headers } = await fixture.ownerOf(sender.workspaceId).get('/workspace');
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    const minute = { used: 0, limit: 1000, endsAt: '2026-11-15T12:01:00.000Z' };
    const day = { used: 0, limit: 50000, endsAt: '2026-11-16T00:00:00.000Z' };
    expect(body).toEqual({
      workspaceId: sender.workspaceId,
      name: 'Counted',
      status: 'active',
      role: 'owner',
      surfaces: [
        { surface: '1a', minute: { ...minute, used: 1 }, day: { ...day, used: 1 } },
        { surface: '1b', minute: { ...minute, used: 2 }, day: { ...day, used: 2 } },
        { surface: '1c', minute, day },
        { surface: '2', minute, day },
      ],
    });
    await fixture.administration.suspendWorkspace(sender.workspaceId);
    fixture.clock.now += 60_000;
    const { body: later } = await fixture.ownerOf(sender.workspaceId).get('/workspace');
    fixture.clock.now -= 60_000;
    expect(later).toMatchObject({ status: 'suspended' });
    expect(later.surfaces[1]).toMatchObject({ minute: { used: 0 }, day: { used: 2 } });
  });

  test('is not found if the claim names an unknown one', async () => {
    expect((await fixture.ownerOf('ws_gone').get('/workspace')).status).toBe(404);
  });
});

describe('forms', () => {
  test('are made with a slug, listed and read', async () => {
    const { owner, form, at } = await newForm();
    expect(form).toEqual({
      formId: expect.stringMatching(/^form_/),
      name: 'Contact us',
      slug: expect.stringMatching(/^contact-us-[0-9a-f]{10}$/),
      url: `${INGEST_URL}/api/v1/ingest/${form.slug}`,
      active: true,
      createdAt: NOON,
      fields: [],
      retentionDays: null,
      browser: { enabled: false, origins: [] },
      provider: null,
    });
    expect((await owner.get(at)).body).toEqual(form);
    const { fields: _f, retentionDays: _r, browser: _b, provider: _p, ...listed } = form;
    expect((await owner.get('/forms')).body).toEqual({ forms: [listed] });
  });

  test('are renamed, configured and switched, each change without touching the rest', async () => {
    const { owner, form, at } = await newForm();
    const fields = [{ key: 'work_mail', label: 'E-mail', role: 'email' }, { key: '__proto__' }];
    await owner.patch(at, { body: { name: '  Talk to us ' } });
    await owner.patch(at, { body: { fields } });
    const { body } = await owner.patch(at, { body: { active: false } });
    expect(body).toEqual({ ...form, name: 'Talk to us', fields, active: false });
    expect((await owner.get(at)).body).toEqual(body);
    expect((await owner.patch(at, { body: { active: true, fields: [] } })).body).toMatchObject({
      active: true,
      fields: [],
    });
  });

  test('are archived permanently and move to the list of archived ones', async () => {
    const { owner, at } = await newForm();
    const { body: other } = await owner.post('/forms', { body: { name: 'Newsletter' } });
    const listed = async (query = {}) =>
      (await owner.get('/forms', { query })).body.forms.map(
        ({ formId, archivedAt }: { formId: string; archivedAt?: string }) => [formId, archivedAt],
      );
    expect(await listed({ archived: 'true' })).toEqual([]);
    const { body: archived } = await owner.post(`${at}/archive`);
    expect(archived).toMatchObject({ active: false, archivedAt: NOON });
    fixture.clock.now += 1000;
    expect((await owner.post(`${at}/archive`, { body: {} })).body.archivedAt).toBe(NOON);
    fixture.clock.now -= 1000;
    expect(await listed()).toEqual([[other.formId, undefined]]);
    expect(await listed({ archived: 'false' })).toEqual(await listed());
    expect(await listed({ archived: 'true' })).toEqual([[archived.formId, NOON]]);
    expect((await owner.get(at)).body).toEqual(archived);
    expect((await owner.patch(at, { body: { active: true } })).status).toBe(409);
    expect((await owner.put(`${at}/delivery/secret`)).status).toBe(409);
    expect((await owner.post(`${at}/delivery/rotate`)).status).toBe(409);
    expect((await owner.post('/tokens', { body: { formId: archived.formId } })).status).toBe(409);
  });
});

describe('tokens', () => {
  test('are shown once, listed with their last use, and revoked', async () => {
    const { owner, form } = await newForm();
    const { body: made, status } = await owner.post('/tokens', {
      body: { formId: form.formId, name: 'Web shop' },
    });
    const { token, ...rest } = made;
    expect(status).toBe(201);
    expect(rest).toEqual({
      tokenId: expect.stringMatching(/^tok_/),
      formId: form.formId,
      type: 'server',
      name: 'Web shop',
      createdAt: NOON,
      lastFour: token.slice(-4),
    });
    expect((await owner.get('/tokens')).body).toEqual({ tokens: [rest] });
    await fixture.noteUse(owner.workspaceId, `token#${made.tokenId}`, NOON);
    expect((await owner.get('/tokens')).body).toEqual({ tokens: [{ ...rest, lastUsedAt: NOON }] });
    const revoked = { tokenId: made.tokenId, revokedAt: NOON };
    expect((await owner.delete(`/tokens/${made.tokenId}`)).body).toEqual(revoked);
    fixture.clock.now += 1000;
    expect((await owner.delete(`/tokens/${made.tokenId}`)).body).toEqual(revoked);
    fixture.clock.now -= 1000;
    expect((await owner.get('/tokens')).body.tokens[0].revokedAt).toBe(NOON);
    const { body: unnamed } = await owner.post('/tokens', { body: { formId: form.formId } });
    expect(unnamed.name).toBe('server token');
  });
});

describe('delivery settings', () => {
  test('show whether there is a secret, but never the secret', async () => {
    const { owner, form, at } = await newForm();
    const address = { formId: form.formId, url: form.url };
    expect((await owner.get(`${at}/delivery`)).body).toEqual({ ...address, secret: { isSet: false } });
    expect((await owner.post(`${at}/delivery/rotate`)).status).toBe(409);
    const ended = await owner.delete(`${at}/delivery/previous-secret`);
    expect(ended.body.secret).toEqual({ isSet: false });
    const { body: generated } = await owner.put(`${at}/delivery/secret`);
    expect(generated).toEqual({ formId: form.formId, secret: expect.stringMatching(/^whsec_/) });
    const { body: own } = await owner.put(`${at}/delivery/secret`, {
      body: { secret: 'sixteen letters!' },
    });
    expect(own).toEqual({ formId: form.formId });
    expect((await owner.get(`${at}/delivery`)).body).toEqual({
      ...address,
      secret: { isSet: true, setAt: NOON },
    });
  });

  test('show the grace period of a rotation, and end it', async () => {
    const { owner, at } = await newForm();
    await owner.put(`${at}/delivery/secret`);
    const { body: rotated } = await owner.post(`${at}/delivery/rotate`, {
      body: { graceSeconds: 604_800 },
    });
    expect(rotated.previousWorksUntil).toBe('2026-11-22T12:00:10.000Z');
    expect((await owner.get(`${at}/delivery`)).body.previousSecret).toEqual({
      worksUntil: '2026-11-22T12:00:10.000Z',
    });
    expect((await owner.delete(`${at}/delivery/previous-secret`)).body.previousSecret).toBeUndefined();
    expect((await owner.delete(`${at}/delivery/previous-secret`)).status).toBe(200);
    expect((await owner.post(`${at}/delivery/rotate`)).body.previousWorksUntil).toBeUndefined();
  });

  test('are listed for all forms as each form shows them', async () => {
    const { owner, form, at } = await newForm();
    await owner.put(`${at}/delivery/secret`);
    await owner.post(`${at}/delivery/rotate`, { body: { graceSeconds: 60 } });
    await fixture.noteUse(owner.workspaceId, `secret#${form.formId}#previous`, NOON);
    fixture.clock.now += 1000;
    const { body: bare } = await owner.post('/forms', { body: { name: 'Without a secret' } });
    const { body: gone } = await owner.post('/forms', { body: { name: 'Gone' } });
    await owner.post(`/forms/${gone.formId}/archive`);
    fixture.clock.now -= 1000;
    const { body } = await owner.get('/deliveries');
    expect(body.deliveries).toMatchObject([
      { formId: form.formId, secret: { isSet: true }, previousSecret: { lastUsedAt: NOON } },
      { formId: bare.formId, secret: { isSet: false } },
    ]);
    const one = async (formId: string) => (await owner.get(`/forms/${formId}/delivery`)).body;
    expect(body.deliveries).toEqual([await one(form.formId), await one(bare.formId)]);
  });

  test('explain a signature that is wrong', async () => {
    const { owner, at } = await newForm();
    const { body: set } = await owner.put(`${at}/delivery/secret`);
    const timestamp = String(Math.floor(fixture.clock.now / 1000));
    const bodyBase64 = Buffer.from(SAMPLE).toString('base64');
    const sign = (secret: string) => signatureOf(secret, timestamp, Buffer.from(SAMPLE)).toString('hex');
    const debug = async (signature: string) =>
      (await owner.post(`${at}/delivery/debug`, { body: { timestamp, signature, bodyBase64 } })).body;
    expect(await debug(sign(set.secret))).toMatchObject({ decision: 'accepted', signature: 'right' });
    expect(await debug(sign(`${set.secret}\n`))).toMatchObject({
      decision: 'signature_mismatch',
      signature: 'explained',
      mistakes: [{ name: 'secret_with_whitespace' }],
    });
    const { body: other } = await owner.post('/forms', { body: { name: 'Other' } });
    const { body: ofOther } = await owner.put(`/forms/${other.formId}/delivery/secret`);
    expect(await debug(sign(ofOther.secret))).toMatchObject({
      mistakes: [{ name: 'secret_of_another_form', formId: other.formId }],
    });
    await owner.patch(at, { body: { active: false } });
    expect(await debug(sign(set.secret))).toMatchObject({ decision: 'form_inactive', signature: 'right' });
    const nothing = await owner.post(`${at}/delivery/debug`, { body: { bodyBase64: '' } });
    expect(nothing.body.signature).toBe('unexplained');
  });
});
