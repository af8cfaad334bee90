import { describe, expect, test } from '@jest/globals';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';

const fixture = openOwnerFixture();
const ORIGIN = 'https://shop.example.com';

async function newForm() {
  const sender = await fixture.newSender();
  const owner = fixture.ownerOf(sender.workspaceId);
  const at = `/forms/${sender.formId}`;
  return {
    ...sender,
    at,
    read: async () => (await owner.get(at)).body.browser,
    change: (browser: unknown, beyondSchema = false) => owner.patch(at, { body: { browser }, beyondSchema }),
  };
}

describe('sending from browsers', () => {
  test('is off by default, and on for the origins that the owner lists', async () => {
    const form = await newForm();
    expect(await form.read()).toEqual({ enabled: false, origins: [] });
    const { status, body } = await form.change({ enabled: true, origins: [ORIGIN] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Contact', browser: { enabled: true, origins: [ORIGIN] } });
    expect(await form.read()).toEqual({ enabled: true, origins: [ORIGIN] });
  });

  test('is changed in parts', async () => {
    const form = await newForm();
    await form.change({ origins: [ORIGIN] });
    expect(await form.read()).toEqual({ enabled: false, origins: [ORIGIN] });
    await form.change({ enabled: true });
    expect(await form.read()).toEqual({ enabled: true, origins: [ORIGIN] });
    await form.change({ origins: [] });
    expect(await form.read()).toEqual({ enabled: true, origins: [] });
  });

  test('keeps origins as browsers write them', async () => {
    const form = await newForm();
    await form.change({
      origins: ['https://Shop.Example.com/', 'https://*.example.com', 'http://localhost:3000'],
    });
    expect(await form.read()).toMatchObject({
      origins: [ORIGIN, 'https://*.example.com', 'http://localhost:3000'],
    });
  });

  test('applies from the next submission on: the version of the configuration is raised', async () => {
    const form = await newForm();
    const { configVersion } = await fixture.workspaceItem(form.workspaceId);
    await form.change({ enabled: true });
    expect(await fixture.workspaceItem(form.workspaceId)).toMatchObject({
      configVersion: Number(configVersion) + 1,
    });
  });

  test.each<[string, unknown, string, RegExp]>([
    ['text instead of an object', 'on', 'browser', /object/],
    ['an unknown property', { origin: [ORIGIN] }, 'browser.origin', /not a known field/],
    ['enabled as text', { enabled: 'yes' }, 'browser.enabled', /true or false/],
    ['one origin without a list', { origins: ORIGIN }, 'browser.origins', /must be a list/],
    ['a number as origin', { origins: [ORIGIN, 7] }, 'browser.origins[1]', /must be text/],
    ['a host without a scheme', { origins: ['example.com'] }, 'browser.origins[0]', /https:\/\//],
    ['plain http', { origins: ['http://example.com'] }, 'browser.origins[0]', /localhost only/],
    ['a path', { origins: [`${ORIGIN}/contact`] }, 'browser.origins[0]', /without a path/],
    ['every origin', { origins: ['*'] }, 'browser.origins[0]', /name a site/],
    ['a public suffix', { origins: ['https://*.github.io'] }, 'browser.origins[0]', /too broad/],
    ['one origin twice', { origins: [ORIGIN, `${ORIGIN}/`] }, 'browser.origins[1]', /listed twice/],
    [
      'too many',
      { origins: Array.from({ length: 21 }, (_, n) => `https://s${n}.example.com`) },
      'browser.origins',
      /at most 20/,
    ],
  ])('cannot be %s', async (_what, browser, field, problem) => {
    const form = await newForm();
    // What makes a text an origin is not in the schema.
    const { status, body } = await form.change(browser, /\[\d\]$/.test(field));
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ field, problem: expect.stringMatching(problem) }]);
    expect(await form.read()).toEqual({ enabled: false, origins: [] });
  });

  test('cannot be changed by another workspace', async () => {
    const [form, stranger] = [await newForm(), await fixture.newSender()];
    const response = await fixture
      .ownerOf(stranger.workspaceId)
      .patch(form.at, { body: { browser: { enabled: true } } });
    expect(response.status).toBe(404);
    expect(await form.read()).toEqual({ enabled: false, origins: [] });
  });
});
