import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../until.ts';
import { findings } from './browser.ts';
import { disturb, newVisitForEachTest, SENT, Website } from './visit.ts';

const visit = newVisitForEachTest();

describe('a form with the script', () => {
  test('sends a lead to another origin, confirms it and leaves nothing in the browser', async () => {
    await visit.open();
    expect(await findings(visit.page)).toEqual([]);
    await visit.sendLead();
    const [lead, ...others] = await visit.form.leads();
    expect(lead?.fields).toEqual({
      name: 'Ada Byron',
      email: 'ada@analytical-engines.example',
      message: 'Zoë says “hello”',
      form_elapsed_ms: expect.any(Number),
    });
    expect(others).toEqual([]);
    expect(await visit.events()).toEqual([['lead:sent', { submissionId: lead?.id }]]);
    expect(await visit.isFocused('[role=status]')).toBe(true);
    expect(await visit.page.getByLabel('Name').inputValue()).toBe('');
    expect(await findings(visit.page)).toEqual([]);
    expect(visit.site.posts).toEqual([]);
    expect(await visit.page.context().storageState()).toEqual({ cookies: [], origins: [] });
  });

  test('is disabled while it sends', async () => {
    const response = Promise.withResolvers<void>();
    await disturb(visit.page, () => response.promise);
    await visit.open();
    await visit.fill();
    await visit.send();
    await visit.shows('Sending…');
    for (const field of ['Name', 'Email', 'Message']) {
      expect(await visit.page.getByLabel(field).isDisabled()).toBe(true);
    }
    expect(await visit.page.getByRole('button').isDisabled()).toBe(true);
    expect(await findings(visit.page)).toEqual([]);
    response.resolve();
    await visit.shows(SENT);
    expect(await visit.page.getByLabel('Name').isEnabled()).toBe(true);
  });

  test('leaves validation to the browser', async () => {
    await visit.open();
    await visit.send();
    expect(await visit.isFocused('[name=name]')).toBe(true);
    await visit.fill();
    await visit.page.getByLabel('Email').fill('not an address');
    await visit.send();
    expect(await visit.isFocused('[name=email]')).toBe(true);
    expect(visit.mints).toEqual([]);
    expect(visit.site.posts).toEqual([]);
  });

  test('makes one lead of a double click', async () => {
    await visit.open();
    await visit.fill();
    await visit.page.getByRole('button').dblclick();
    await visit.shows(SENT);
    expect(visit.mints).toHaveLength(1);
    expect(await visit.form.leads()).toHaveLength(1);
  });

  test('makes one lead of a second click after the response, without required fields', async () => {
    visit.site.html = visit.site.html.replaceAll(' required', '');
    await visit.open();
    await visit.sendLead();
    await visit.send();
    await visit.shows(SENT);
    expect(visit.mints).toHaveLength(1);
    expect(await visit.form.leads()).toHaveLength(1);
  });
});

describe('a page whose content shadows what the script reads', () => {
  /** Where a page's content tries to send leads. */
  const thief = new Website();
  let thiefOrigin: string;
  beforeAll(async () => {
    thiefOrigin = await thief.open();
  });
  beforeEach(() => {
    thief.posts.length = 0;
  });
  afterAll(() => thief.close());

  const storedLead = () => until(visit.form.leads, (leads) => leads.length > 0);

  /** Elements that become properties of the document by their name or id, above everything else on the page. */
  const SHADOWS: readonly ((name: string, attributes: string) => string)[] = [
    (name, attributes) => `<img name="${name}" ${attributes}>`,
    (name, attributes) => `<img id="${name}" name="other" ${attributes}>`,
    (name, attributes) => `<form name="${name}" ${attributes}></form>`,
    (name, attributes) => `<iframe name="${name}" ${attributes}></iframe>`,
    (name, attributes) => `<object name="${name}" ${attributes}></object>`,
    (name, attributes) => `<object id="${name}" ${attributes}></object>`,
    (name, attributes) => `<embed name="${name}" ${attributes}>`,
  ];

  test('cannot choose the endpoint by a name or an id', async () => {
    const attributes = `data-endpoint="${thiefOrigin}" data-form="stolen"`;
    const { html } = visit.site;
    for (const [index, element] of SHADOWS.entries()) {
      visit.site.html = html.replace('<main>', `<main>${element('currentScript', attributes)}`);
      await visit.open();
      await visit.sendLead();
      expect([visit.site.html, (await visit.form.leads()).length]).toEqual([visit.site.html, index + 1]);
    }
    expect(thief.posts).toEqual([]);
    expect(visit.site.posts).toEqual([]);
  });

  test('cannot choose where the script asks for the endpoint', async () => {
    const image = `<img name="currentScript" src="${thiefOrigin}/sdk/v1.js">`;
    visit.site.html = visit.site.html
      .replace('<main>', `<main>${image}`)
      .replace(/ data-endpoint="[^"]*"/, '');
    await visit.open();
    await visit.sendLead();
    expect(await visit.form.leads()).toHaveLength(1);
  });

  // The page submits by itself, because the tools of the test read the same properties.
  const SUBMIT = `<script>addEventListener('load', () => {
  const form = Document.prototype.querySelector.call(document, '[data-lead-form]');
  HTMLFormElement.prototype.requestSubmit.call(form, Element.prototype.querySelector.call(form, 'button'));
  })</script>`;

  /** Every property that the browser defines for documents, or for forms. */
  async function namesOf(thing: string): Promise<string[]> {
    return visit.page.evaluate<string[]>(`(() => {
    const names = [];
    for (let it = ${thing}; it; it = Object.getPrototypeOf(it)) names.push(...Object.getOwnPropertyNames(it));
    return [...new Set(names)];
  })()`);
  }

  async function sendsWith(
    content: (names: readonly string[]) => [place: string, shadows: string],
    thing: string,
  ) {
    const names = await namesOf(thing);
    expect(names.length).toBeGreaterThan(200);
    const [place, shadows] = content(names);
    visit.site.html = visit.site.html
      .replaceAll(' required', '')
      .replace('name="name"', 'name="name" value="Ada Byron"')
      .replace(place, `${place}${shadows}`)
      .replace('</main>', `</main>${SUBMIT}`);
    await visit.open();
    const [lead] = await storedLead();
    expect(lead?.fields).toMatchObject({ name: 'Ada Byron', form_elapsed_ms: expect.any(Number) });
    await until(visit.events.bind(visit), (events) => JSON.stringify(events).includes('lead:'));
    expect(await visit.events()).toEqual([['lead:sent', { submissionId: lead?.id }]]);
    expect(visit.site.posts).toEqual([]);
  }

  test('sends with an image named like every property of documents', async () => {
    const images = (names: readonly string[]) => names.map((name) => `<img name="${name}">`).join('');
    await sendsWith((names) => ['<main>', images(names)], 'Document.prototype');
  });

  // Disabled fields shadow too, and are not part of the lead.
  test.each(['name', 'id'])(
    'sends with fields that have every property of forms as their %s',
    async (attribute) => {
      const fields = (names: readonly string[]) =>
        names.map((name) => `<input ${attribute}="${name}" type="hidden" disabled>`).join('');
      await sendsWith((names) => ['method="post">', fields(names)], 'HTMLFormElement.prototype');
    },
  );
});
