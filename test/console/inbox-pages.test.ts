import { describe, expect, test } from '@jest/globals';
import type { Query } from '../../console/src/api/client.ts';
import type { InboxLead } from '../../console/src/api/types.ts';
import {
  countNew,
  type InboxPage,
  readInbox,
  watchQuery,
  withChanges,
} from '../../console/src/pages/leads/inbox/read-inbox.ts';

const { signal } = new AbortController();
const QUERY = { q: 'navy' };
const NOW = Date.parse('2026-11-15T12:00:00Z');

const lead = (submissionId: string, more: Partial<InboxLead> = {}): InboxLead => ({
  submissionId,
  formId: 'form_1',
  receivedAt: '2026-11-15T12:00:00.000Z',
  surface: '1b',
  score: 80,
  grade: 'A',
  clean: true,
  enrichment: 'enriched',
  name: undefined,
  company: undefined,
  email: undefined,
  phone: undefined,
  ...more,
});

/** An API that returns parts with these numbers of leads, and what was asked of it. */
function apiOf(...counts: readonly number[]) {
  const asked: Query[] = [];
  async function get<T>(_path: string, query: Query = {}): Promise<T> {
    const at = asked.push(query) - 1;
    const leads = Array.from({ length: counts[at] ?? 0 }, (_, row) => lead(`${at}-${row}`));
    return { leads, ...(at < counts.length - 1 && { cursor: `c${at + 1}` }) } as T;
  }
  return { client: { get }, asked };
}

const read = (client: ReturnType<typeof apiOf>['client'], cursor?: string) =>
  readInbox(client, { query: QUERY, cursor, signal });

const limits = (asked: readonly Query[]) => asked.map(({ limit }) => limit);

describe('a page of leads', () => {
  test('is one request for 50, and names the next page', async () => {
    const { client, asked } = apiOf(50, 50);
    const { leads, next } = await read(client);
    expect(asked).toEqual([{ ...QUERY, limit: 50 }]);
    expect(leads).toHaveLength(50);
    expect(next).toBe('c1');
  });

  test('continues at its cursor', async () => {
    const { client, asked } = apiOf(50);
    const { next } = await read(client, 'c9');
    expect(asked).toEqual([{ ...QUERY, cursor: 'c9', limit: 50 }]);
    expect(next).toBeUndefined();
  });

  test('is filled from several parts, never beyond 50, and shows each part', async () => {
    const { client, asked } = apiOf(20, 0, 25, 5, 50);
    const parts: InboxPage[] = [];
    const { leads, next } = await readInbox(client, {
      query: QUERY,
      cursor: undefined,
      signal,
      onPart: (part) => parts.push(part),
    });
    expect(limits(asked)).toEqual([50, 30, 30, 5]);
    expect(leads).toHaveLength(50);
    expect(next).toBe('c4');
    expect(parts.map((part) => [part.leads.length, part.next])).toEqual([
      [20, 'c1'],
      [20, 'c2'],
      [45, 'c3'],
    ]);
  });

  test('ends with the leads', async () => {
    const { leads, next } = await read(apiOf(20, 3).client);
    expect(leads).toHaveLength(23);
    expect(next).toBeUndefined();
  });

  test('gives up on a narrow filter after five parts, and can be continued', async () => {
    const { client, asked } = apiOf(0, 0, 0, 0, 0, 0, 1);
    const { next } = await read(client);
    expect(asked).toHaveLength(5);
    expect(next).toBe('c5');
  });
});

describe('new leads', () => {
  const page = (ids: readonly string[], next?: string): InboxPage => ({
    leads: ids.map((id) => lead(id)),
    next,
  });
  const watched = (...ids: readonly string[]) => ids.map((id) => lead(id));

  test('are those that the page does not have, also some that were listed late', () => {
    expect(countNew(page(['5', '3']), watched('7', '6', '5', '4', '3'))).toBe(3);
    expect(countNew(page(['5', '3']), watched('5', '3'))).toBe(0);
    expect(countNew(page([]), watched('1'))).toBe(1);
  });

  test('are not those of the next page', () => {
    expect(countNew(page(['5', '3'], 'c1'), watched('6', '5', '2', '1'))).toBe(1);
  });

  test('are looked for since shortly before the newest one shown', () => {
    const shown = page(['5', '3']);
    expect(watchQuery(QUERY, shown, NOW)).toEqual({ ...QUERY, from: '2026-11-15T11:59:00.000Z', limit: 50 });
    expect(watchQuery(QUERY, page([]), NOW)).toMatchObject({ from: '2026-11-15T11:55:00.000Z' });
  });

  test('are looked for since the oldest one that is being enriched, unless it hangs', () => {
    const pending = (receivedAt: string) => lead('3', { enrichment: 'pending', receivedAt });
    const leads = [lead('5'), pending('2026-11-15T11:55:00.000Z'), pending('2026-11-15T11:40:00.000Z')];
    expect(watchQuery(QUERY, { leads }, NOW)).toMatchObject({ from: '2026-11-15T11:55:00.000Z' });
  });

  test('are looked for only within the period', () => {
    const from = '2026-11-15T11:59:30.000Z';
    expect(watchQuery({ from }, page(['5']), NOW)).toMatchObject({ from });
    expect(watchQuery({ to: '2026-11-15T12:00:00.000Z' }, page(['5']), NOW)).toBeUndefined();
    expect(watchQuery({ to: '2026-11-16T00:00:00.000Z' }, page(['5']), NOW)).toBeDefined();
  });

  test('do not move those shown, which are kept up to date', () => {
    const shown = [lead('5', { enrichment: 'pending' }), lead('3')];
    const now = withChanges(shown, [lead('6'), lead('5', { enrichment: 'failed' })]);
    expect(now.map(({ submissionId, enrichment }) => [submissionId, enrichment])).toEqual([
      ['5', 'failed'],
      ['3', 'enriched'],
    ]);
  });
});
