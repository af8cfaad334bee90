import { describe, expect, test } from '@jest/globals';
import type { Query } from '../../console/src/api/client.ts';
import { readLeads } from '../../console/src/pages/leads/read-leads.ts';

const SIGNAL = new AbortController().signal;
const QUERY = { clean: true };

/** An API that returns parts with these numbers of leads, and what was asked of it. */
function apiOf(...counts: readonly number[]) {
  const asked: Query[] = [];
  async function get<T>(_path: string, query: Query = {}): Promise<T> {
    const at = asked.push(query) - 1;
    const rows = Array.from({ length: counts[at] ?? 0 }, (_, row) => ({ submissionId: `${at}-${row}` }));
    return { columns: [], rows, ...(at < counts.length - 1 && { cursor: `c${at + 1}` }) } as T;
  }
  return { client: { get }, asked };
}

const limits = (asked: readonly Query[]) => asked.map(({ limit }) => limit);

describe('a page of leads', () => {
  test('is one request for 50, and names the next page with its exact filter', async () => {
    const { client, asked } = apiOf(50, 50);
    const { parts, next } = await readLeads(client, '/leads', { query: QUERY }, SIGNAL);
    expect(asked).toEqual([{ ...QUERY, limit: 50 }]);
    expect(parts).toHaveLength(1);
    expect(next).toEqual({ cursor: 'c1', query: QUERY });
  });

  test('continues at its cursor', async () => {
    const { client, asked } = apiOf(50);
    const { next } = await readLeads(client, '/leads', { query: QUERY, cursor: 'c9' }, SIGNAL);
    expect(asked).toEqual([{ ...QUERY, cursor: 'c9', limit: 50 }]);
    expect(next).toBeUndefined();
  });

  test('is filled from several parts, never beyond 50', async () => {
    const { client, asked } = apiOf(20, 0, 25, 5, 50);
    const { parts, next } = await readLeads(client, '/leads', { query: QUERY }, SIGNAL);
    expect(limits(asked)).toEqual([50, 30, 30, 5]);
    expect(parts.flatMap(({ rows }) => rows)).toHaveLength(50);
    expect(next?.cursor).toBe('c4');
  });

  test('ends with the leads', async () => {
    const { client } = apiOf(20, 3);
    const { parts, next } = await readLeads(client, '/leads', { query: QUERY }, SIGNAL);
    expect(parts.flatMap(({ rows }) => rows)).toHaveLength(23);
    expect(next).toBeUndefined();
  });

  test('gives up on a narrow filter after five parts, and can be continued', async () => {
    const { client, asked } = apiOf(0, 0, 0, 0, 0, 0, 1);
    const { next } = await readLeads(client, '/leads', { query: QUERY }, SIGNAL);
    expect(asked).toHaveLength(5);
    expect(next?.cursor).toBe('c5');
  });
});
