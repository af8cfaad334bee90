import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { CONSOLE_URL, goTo, openAs, settled } from './console.ts';
import { furnish, pagesOf } from './furnished.ts';
import { openOwners } from './owners.ts';
import { rememberAWeek } from './remember-a-week.ts';

export async function drawPages(folder: string): Promise<void> {
  const furnished = await furnish(openOwners(), 'ada@analytical-engines.example');
  await rememberAWeek(furnished.form);
  const pages = pagesOf(furnished);
  const browser = await openBrowser();
  const draw = (page: Page, name: string) => page.screenshot({ path: join(folder, `${name}.png`) });

  const page = await browser.newPage({ viewport: { width: 1280, height: 960 } });
  await page.goto(CONSOLE_URL);
  await page.getByLabel('Email address').waitFor();
  await draw(page, 'sign-in');
  await openAs(page, furnished.owner);
  for (const [name, path] of Object.entries(pages)) {
    await goTo(page, path);
    await settled(page);
    await draw(page, name);
  }
  await explainSignature(page, `${pages.delivery}#debugger`, furnished.form.secret);
  await draw(page, 'debugger');

  const dark = await browser.newPage({ viewport: { width: 1280, height: 960 }, colorScheme: 'dark' });
  await openAs(dark, furnished.owner);
  await settled(dark);
  await draw(dark, 'overview-dark');

  const phone = await browser.newPage({
    viewport: { width: 375, height: 812 },
    isMobile: true,
    hasTouch: true,
  });
  await openAs(phone, furnished.owner);
  await settled(phone);
  await draw(phone, 'overview-phone');
  await browser.close();
}

/** A sender that signs a text with a space less than it sends. */
async function explainSignature(page: Page, path: string, secret: string): Promise<void> {
  await goTo(page, path);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = `${timestamp}.{"name":"Ada Byron","email":"ada@analytical-engines.co.uk"}`;
  await page.getByLabel('X-SVC-Timestamp').fill(timestamp);
  await page.getByLabel('X-SVC-Signature').fill(createHmac('sha256', secret).update(signed).digest('hex'));
  await page
    .getByRole('textbox', { name: 'Body' })
    .fill('{"name": "Ada Byron", "email": "ada@analytical-engines.co.uk"}');
  await page.getByRole('button', { name: 'Check signature' }).click();
  await page.getByText('Rejected: Signature doesn’t match').filter({ visible: true }).first().waitFor();
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
}
