import { describe, expect, test } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { until } from '../until.ts';
import { findings } from './browser.ts';
import { disturb, FAILED, newVisitForEachTest, SENT, Website, watchRejections } from './visit.ts';

const OFFLINE = /^You are offline/;

const visit = newVisitForEachTest();

describe('a form that cannot be sent at once', () => {
  test('says that it did not work after two rejections, and can be sent again with the same nonce', async () => {
    await disturb(visit.page, 'forged', 'forged', 'forged', 'forged');
    await visit.open();
    await visit.fill();
    await visit.send();
    await visit.shows(FAILED);
    expect(visit.mints).toHaveLength(2);
    expect(await visit.events()).toEqual([['lead:failed', { reason: 'rejected' }]]);
    expect(await visit.page.getByLabel('Name').inputValue()).toBe('Ada Byron');
    expect(await visit.isFocused('button')).toBe(true);
    expect(await findings(visit.page)).toEqual([]);
    // The focus returns to where the visitor sent it from.
    await visit.page.getByLabel('Email').press('Enter');
    await visit.shows('Sending…');
    await visit.shows(FAILED);
    expect(await visit.isFocused('[name=email]')).toBe(true);
    await visit.send();
    await visit.shows(SENT);
    expect(new Set(visit.mints).size).toBe(1);
    expect(await visit.form.leads()).toHaveLength(1);
  });

  test('makes one lead if the response is lost', async () => {
    await disturb(visit.page, 'lost');
    await visit.open();
    await visit.sendLead();
    expect(visit.mints).toHaveLength(2);
    expect(await visit.form.leads()).toHaveLength(1);
  });

  test('mints when it sends, also after ten minutes on the page', async () => {
    await visit.page.clock.install();
    await visit.open();
    await visit.fill();
    await visit.page.clock.fastForward('10:00');
    expect(visit.mints).toEqual([]);
    await visit.send();
    await visit.shows(SENT);
    const [lead, ...others] = await visit.form.leads();
    expect(lead?.fields.form_elapsed_ms).toBeGreaterThanOrEqual(600_000);
    expect(others).toEqual([]);
  });

  test('waits while offline', async () => {
    await visit.open();
    await visit.fill();
    await visit.page.context().setOffline(true);
    await visit.send();
    await visit.shows(OFFLINE);
    expect(await findings(visit.page)).toEqual([]);
    expect(await visit.form.leads()).toEqual([]);
    await visit.page.context().setOffline(false);
    await visit.shows(SENT);
    expect(await visit.form.leads()).toHaveLength(1);
  });
});

describe('a page that may not send', () => {
  /** The recorded reason. Recording gives up after 300 ms, so on a busy machine the visitor sends again. */
  async function reasonOfFailure(frame: Page | FrameLocator): Promise<string | undefined> {
    const rejections = watchRejections(visit.page);
    const sendAndLook = async () => {
      await frame.getByRole('button', { name: 'Send' }).click();
      await frame.locator('form[data-lead-state=failed]').waitFor();
      const reasons = await Promise.all(rejections.map((id) => visit.form.reasonOf(id)));
      return reasons.find(Boolean);
    };
    return until(sendAndLook, Boolean);
  }

  test('is on another site: it says that it did not work, and Diagnostics why', async () => {
    const other = new Website();
    other.html = visit.site.html;
    await visit.page.goto(`${await other.open()}/form`);
    await visit.fill();
    expect(await reasonOfFailure(visit.page)).toBe('origin_not_allowed');
    await visit.shows(FAILED);
    expect(await visit.form.leads()).toEqual([]);
    other.close();
  });

  test('is in a sandbox and has no origin: likewise', async () => {
    const outer = new Website();
    outer.html = `<iframe sandbox="allow-scripts allow-forms" src="${visit.origin}/form"></iframe>`;
    await visit.page.goto(await outer.open());
    const frame = visit.page.frameLocator('iframe');
    await frame.getByLabel('Name').fill('Ada Byron');
    await frame.getByLabel('Email').fill('ada@analytical-engines.example');
    expect(await reasonOfFailure(frame)).toBe('origin_missing');
    expect(await visit.form.leads()).toEqual([]);
    outer.close();
  });
});

test('a blocked script leaves a form that posts to its action', async () => {
  await visit.page.route('**/sdk/**', (route) => route.abort());
  await visit.open();
  await visit.fill();
  await visit.send();
  await visit.page.waitForURL(`${visit.origin}/contact`);
  expect(Object.fromEntries(new URLSearchParams(visit.site.posts[0]))).toMatchObject({ name: 'Ada Byron' });
  expect(visit.mints).toEqual([]);
});
