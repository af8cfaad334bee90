import { describe, expect, test } from '@jest/globals';
import type { Surface } from '../../lambdas/submission/limits.ts';
import { openContract, submissionId, submit } from './tenant.ts';

// Specification: Endpoints, idempotency. The 24 hours are tested with a clock that can be moved, elsewhere.
const contract = openContract();
const keyed = (key: string, body?: string) => ({
  headers: { 'X-SVC-Idempotency-Key': key },
  ...(body && { body }),
});

describe.each(['1a', '1b'] as Surface[])('on surface %s', (surface) => {
  test.each(['k', 'x'.repeat(255), 'order #1 / zażółć'.replace(/[^\x20-\x7e]/g, '?')])(
    'a repeated key gets the original response verbatim, and no second lead',
    async (key) => {
      const tenant = await contract.newTenant();
      const original = await submit(surface, tenant, keyed(key));
      const repeated = await submit(surface, tenant, keyed(key, '{"another":"body"}'));
      submissionId(original);
      expect([repeated.status, repeated.body]).toEqual([original.status, original.body]);
      expect(await contract.leadIds(tenant)).toHaveLength(1);
    },
  );

  test('submissions without a key are each a lead of their own', async () => {
    const tenant = await contract.newTenant();
    const ids = [await submit(surface, tenant), await submit(surface, tenant)].map(submissionId);
    expect(new Set(ids).size).toBe(2);
    expect((await contract.leadIds(tenant)).toSorted()).toEqual(ids.toSorted());
  });

  test('50 concurrent requests with one key make one lead and get 50 identical answers', async () => {
    const tenant = await contract.newTenant();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => submit(surface, tenant, keyed('same'))),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(await contract.leadIds(tenant)).toHaveLength(1);
  });
});

test('a key is shared by the two surfaces of a workspace', async () => {
  const tenant = await contract.newTenant();
  const original = await submit('1a', tenant, keyed('k'));
  expect((await submit('1b', tenant, keyed('k'))).body).toBe(original.body);
});

test('a key is not shared by two workspaces', async () => {
  const [one, other] = [await contract.newTenant(), await contract.newTenant()];
  const ids = [await submit('1a', one, keyed('k')), await submit('1a', other, keyed('k'))].map(submissionId);
  expect(ids[0]).not.toBe(ids[1]);
});
