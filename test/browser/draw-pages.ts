import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Page } from 'playwright-core';
import type { StreamedLead } from '../../lambdas/model/lead-item.ts';
import type { Reason } from '../../lambdas/model/reasons.ts';
import { counterKey, counterName, retentionEnd } from '../../lambdas/rejections/diagnostics-items.ts';
import { hourCounters, incrementsOf } from '../../lambdas/stats/stats-items.ts';
import { openContract, type Tenant } from '../contract/tenant.ts';
import { openBrowser } from './browser.ts';
import { CONSOLE_URL, goTo, openAs, settled } from './console.ts';
import { openOwners } from './owners.ts';
import { openAlerts } from './seed-items.ts';
import { pagesOf, seedWorkspace } from './seed-workspace.ts';

export async function drawPages(folder: string): Promise<void> {
  const seeded = await seedWorkspace(openOwners(), 'ada@analytical-engines.example');
  await rememberAWeek(seeded.form);
  await breakSender(seeded.form);
  const pages = pagesOf(seeded);
  const browser = await openBrowser();
  const draw = (page: Page, name: string) => page.screenshot({ path: join(folder, `${name}.png`) });

  const page = await browser.newPage({ viewport: { width: 1280, height: 960 } });
  await page.goto(CONSOLE_URL);
  await page.getByLabel('Email address').waitFor();
  await draw(page, 'sign-in');
  await openAs(page, seeded.owner);
  for (const [name, path] of Object.entries(pages)) {
    await goTo(page, path);
    await settled(page);
    await draw(page, name);
  }
  await explainSignature(page, `${pages.delivery}#debugger`, seeded.form.secret);
  await draw(page, 'debugger');
  await showBrowserSending(page, seeded.form);
  await draw(page, 'browser-sending');

  const dark = await browser.newPage({ viewport: { width: 1280, height: 960 }, colorScheme: 'dark' });
  await openAs(dark, seeded.owner);
  await settled(dark);
  await draw(dark, 'overview-dark');

  const phone = await browser.newPage({
    viewport: { width: 375, height: 812 },
    isMobile: true,
    hasTouch: true,
  });
  await openAs(phone, seeded.owner);
  await settled(phone);
  await draw(phone, 'overview-phone');
  await browser.close();
}

/** A request whose signed text lacks a space that is sent. */
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

async function showBrowserSending(page: Page, { formId }: Tenant): Promise<void> {
  const { administration } = openContract();
  const origins = ['https://www.analytical-engines.example'];
  await administration.setFormBrowser({ formId, enabled: true, origins });
  await goTo(page, `/forms/${formId}/delivery#browser`);
  await page.reload();
  await settled(page);
}

/** The watch would close this alert, but only after all pages are drawn. */
async function breakSender({ workspaceId, formId }: Tenant): Promise<void> {
  const { open, minutesAgo } = openAlerts(workspaceId);
  const facts = {
    formId,
    formName: 'Contact us',
    surface: '1a',
    tokenName: 'Web shop',
    rejections: 4,
    reason: 'token_revoked',
    expectedLeads: 6,
  } as const;
  await open({ kind: 'sender_broken', subject: `${formId}#1a`, since: minutesAgo(95), facts }, 25);
}

const HOUR = 60 * 60 * 1000;
const HOURS = 7 * 24;
const REASONS: readonly Reason[] = ['signature_mismatch', 'timestamp_out_of_window', 'body_invalid_json'];

/** Writes counts for the past week, for two forms, with more leads by day than by night. */
async function rememberAWeek({ workspaceId, formId }: Tenant): Promise<void> {
  const { client, tables, administration } = openContract();
  const other = await administration.createForm({ workspaceId, name: 'Request a quote' });
  await administration.setSecret({ formId: other.formId });
  const now = Date.now();
  for (let hoursAgo = 1; hoursAgo < HOURS; hoursAgo += 1) {
    const at = now - hoursAgo * HOUR;
    const busy = Math.max(0, Math.sin(((new Date(at).getUTCHours() - 5) / 24) * 2 * Math.PI)) + 0.15;
    const leads = Array.from({ length: Math.round(busy * (9 + (hoursAgo % 5))) }, (_, index) => ({
      workspaceId,
      formId: (index + hoursAgo) % 3 === 0 ? other.formId : formId,
      receivedAt: new Date(at).toISOString(),
      score: [92, 85, 71, 55, 34, 8][(index + hoursAgo) % 6],
      clean: (index + hoursAgo) % 6 < 4,
    })) as StreamedLead[];
    for (const { sk, leads: counted } of hourCounters(leads, 'shard')) {
      await put(tables.stats, { sk, ...incrementsOf(counted) });
    }
    if (hoursAgo % 7 !== 0 && busy < 0.5) continue;
    const rejected = {
      at: new Date(at).toISOString(),
      formId,
      authenticated: false,
      surface: '1b' as const,
      reason: REASONS[hoursAgo % REASONS.length] as Reason,
    };
    const { sk } = counterKey(workspaceId, rejected, 0);
    const counts = { [counterName(rejected.at)]: 1 + (hoursAgo % 3) };
    await put(tables.diagnostics, { sk, ...counts, expiresAt: retentionEnd(rejected.at) });
  }

  async function put(TableName: string, item: object) {
    await client.send(new PutCommand({ TableName, Item: { workspaceId, v: 1, ...item } }));
  }
}
