import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Reason } from '../../lambdas/model/reasons.ts';
import { minuteOf } from '../../lambdas/model/time-buckets.ts';
import { EVENT_SLOTS_PER_MINUTE, eventItem } from '../../lambdas/rejections/diagnostics-items.ts';
import { type RejectedSubmission, rejectionRecord } from '../../lambdas/rejections/rejection-record.ts';
import { openContract } from '../contract/tenant.ts';
import { goTo, seriousFindings, shows } from './console.ts';
import { newOwnerWithForm } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

/** More than one response searches. */
const EVENTS = 4_500;
const MINUTE = 60_000;
/** Reasons that differ, by position from the newest. */
const OTHERS: Readonly<Record<number, Reason>> = { 60: 'token_revoked', 4400: 'internal_error' };

let page: Page;

beforeAll(async () => {
  const { owner, form } = await newOwnerWithForm();
  const { formId } = form;
  const now = Date.now();
  const { client, tables } = openContract();
  const records = Array.from({ length: EVENTS }, (_, n) => {
    const reason = OTHERS[n] ?? 'body_not_object';
    const minute = Math.ceil((n + 1) / EVENT_SLOTS_PER_MINUTE);
    const rejected: RejectedSubmission = {
      atMilliseconds: now - minute * MINUTE,
      reason,
      formId,
      requestId: randomUUID(),
      surface: '1a',
      detail: {},
      bodyBytes: 2,
    };
    return rejectionRecord(rejected, { workspaceIds: [owner.workspaceId], authenticated: true }, 'x');
  });
  const events = records.map((record, n) => {
    const slot = String(n % EVENT_SLOTS_PER_MINUTE).padStart(2, '0');
    // By default the slot is a hash, and two events can have the same.
    return { ...eventItem(record), sk: `event#${minuteOf(Date.parse(record.at))}#a${slot}` };
  });
  await putAll(tables.diagnostics, events);
  // The newest can also be looked up.
  await putAll(tables.rejections, records.slice(0, EVENT_SLOTS_PER_MINUTE));

  async function putAll(table: string, items: readonly object[]) {
    for (let from = 0; from < items.length; from += 25) {
      const requests = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item: { ...Item } } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
    }
  }
  page = await browser.openAs(owner, '/diagnostics');
});

const table = () => page.getByRole('grid', { name: 'Recent events' });
const eventOf = (title: string) => table().getByRole('button', { name: new RegExp(`^${title}, details of`) });

test('the filter finds a reason that is not among the newest events', async () => {
  await eventOf('Body isn’t a JSON object').first().waitFor();
  expect(await eventOf('Token revoked').count()).toBe(0);
  await page.getByRole('button', { name: 'Reason All reasons' }).click();
  await page.getByRole('option', { name: 'Token revoked' }).click();
  await eventOf('Token revoked').waitFor();
  expect(await eventOf('Body isn’t a JSON object').count()).toBe(0);
});

test('older events are found by searching further back', async () => {
  await goTo(page, '/diagnostics?reason=internal_error');
  await shows(page, 'No matches yet');
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Search older events' }).click();
  await eventOf('Internal error').waitFor();
  await goTo(page, '/diagnostics?reason=internal_error&surface=1b');
  await shows(page, 'No matches yet');
  await page.getByRole('button', { name: 'Search older events' }).click();
  await shows(page, 'No older events match the filters');
});
