import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeLeadId } from '../../lambdas/model/lead-item.ts';
import { makeMessages } from '../../lambdas/sending/messages-store.ts';
import { openContract } from '../contract/tenant.ts';
import { until } from '../until.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { openAs } from './console.ts';
import { openOwners } from './owners.ts';
import { pagesOf, seedWorkspace } from './seed-workspace.ts';

const PAGE = 50;
const OLD_MESSAGES = 60;
const SEEDED_MESSAGES = 4;
const MINUTE_MS = 60_000;

let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  const seeded = await seedWorkspace(openOwners());
  const { workspaceId } = seeded.owner;
  const { destinationId } = seeded;
  const messages = makeMessages(openContract());
  for (let index = 1; index <= OLD_MESSAGES; index += 1) {
    const at = Date.now() - index * MINUTE_MS;
    const leadId = makeLeadId(at, randomBytes(10));
    const key = { destinationId, leadId, type: 'lead.accepted', workspaceId } as const;
    const rest = { status: 'delivered', attempts: [], countedAttempts: 1 } as const;
    const createdAt = new Date(at).toISOString();
    await messages.write({ ...key, ...rest, createdAt }, undefined, AbortSignal.timeout(10_000));
  }
  browser = await openBrowser();
  page = await browser.newPage();
  await openAs(page, seeded.owner, pagesOf(seeded).destination);
});
afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const rows = () =>
  page
    .getByRole('grid', { name: 'Messages' })
    .getByRole('button', { name: /^Replay / })
    .count();
const rowsBecome = (expected: number) => until(rows, (count) => count === expected);

test('messages are listed 50 to a page, newest first', async () => {
  const rest = OLD_MESSAGES + SEEDED_MESSAGES - PAGE;
  expect(await rowsBecome(PAGE)).toBe(PAGE);
  expect(await button('Newer messages').isDisabled()).toBe(true);
  await button('Older messages').click();
  expect(await rowsBecome(rest)).toBe(rest);
  expect(await button('Older messages').isDisabled()).toBe(true);
  await button('Newer messages').click();
  expect(await rowsBecome(PAGE)).toBe(PAGE);
});

test('a filter by status starts on its first page', async () => {
  await button('Older messages').click();
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  expect(await rowsBecome(1)).toBe(1);
  expect(await button('Newer messages').count()).toBe(0);
});
