import { describe, expect, test } from '@jest/globals';
import { findings } from './axe.ts';
import { disturb } from './page-requests.ts';
import { newVisitForEachTest, SENT } from './visit.ts';

const visit = newVisitForEachTest();

describe('a form with the script', () => {
  test('sends a lead to another origin and confirms it', async () => {
    await visit.open();
    expect(await findings(visit.page)).toEqual([]);
    await visit.fill();
    await visit.send();
    await visit.shows(SENT);
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
  });

  test('leaves nothing in the browser', async () => {
    await visit.open();
    await visit.fill();
    await visit.send();
    await visit.shows(SENT);
    expect(await visit.page.context().storageState()).toEqual({ cookies: [], origins: [] });
  });

  test('sends a second lead with another nonce', async () => {
    await visit.open();
    for (const name of ['Ada Byron', 'Grace Hopper']) {
      await visit.fill(name);
      await visit.send();
      await visit.shows(SENT);
    }
    const leads = await visit.form.leads();
    expect(leads.map(({ fields }) => fields.name)).toEqual(['Ada Byron', 'Grace Hopper']);
    expect(new Set(visit.mints).size).toBe(2);
  });

  test('is disabled while it sends', async () => {
    let response = () => {};
    const untilResponse = new Promise<void>((resolve) => {
      response = resolve;
    });
    await disturb(visit.page, () => untilResponse);
    await visit.open();
    await visit.fill();
    await visit.send();
    await visit.shows('Sending…');
    for (const field of ['Name', 'Email', 'Message']) {
      expect(await visit.page.getByLabel(field).isDisabled()).toBe(true);
    }
    expect(await visit.page.getByRole('button').isDisabled()).toBe(true);
    expect(await findings(visit.page)).toEqual([]);
    response();
    await visit.shows(SENT);
    expect(await visit.page.getByLabel('Name').isEnabled()).toBe(true);
  });

  test('is enabled when the page is left, because Firefox would keep it disabled after a reload', async () => {
    await disturb(visit.page, () => new Promise(() => {}));
    await visit.open();
    await visit.fill();
    await visit.send();
    await visit.shows('Sending…');
    await visit.page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`);
    expect(await visit.page.getByRole('button').isEnabled()).toBe(true);
    await visit.page.getByRole('button').click();
    expect(visit.mints).toHaveLength(1);
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
    await visit.fill();
    await visit.send();
    await visit.shows(SENT);
    await visit.send();
    await visit.shows(SENT);
    expect(visit.mints).toHaveLength(1);
    expect(await visit.form.leads()).toHaveLength(1);
  });
});
