import { expect, test } from '@jest/globals';
import { ApiProblem } from '../../console/src/api/problem.ts';
import { eraseLeads } from '../../console/src/pages/leads/erase-leads.ts';

function client(failures: Readonly<Record<string, number>> = {}) {
  const asked: string[] = [];
  return {
    asked,
    async change<T>(method: string, path: string): Promise<T> {
      asked.push(`${method} ${path}`);
      const status = failures[path];
      if (status !== undefined) throw new ApiProblem(status, {});
      return undefined as T;
    },
  };
}

test('deletes each lead by ID and counts missing ones as deleted', async () => {
  const to = client({ '/settings/leads/b': 404 });
  const counts: number[] = [];
  await eraseLeads(to, ['a', 'b', '../forms'], (count) => counts.push(count));
  expect(to.asked).toEqual([
    'DELETE /settings/leads/a',
    'DELETE /settings/leads/b',
    'DELETE /settings/leads/..%2Fforms',
  ]);
  expect(counts).toEqual([1, 2, 3]);
});

test('stops at an error and reports how many were deleted', async () => {
  const to = client({ '/settings/leads/b': 500 });
  const counts: number[] = [];
  await expect(eraseLeads(to, ['a', 'b', 'c'], (count) => counts.push(count))).rejects.toThrow(ApiProblem);
  expect(counts).toEqual([1]);
  expect(to.asked).toHaveLength(2);
});
