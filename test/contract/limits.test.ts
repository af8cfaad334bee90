import { describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../lambdas/model/limits.ts';
import { until } from '../until.ts';
import { openContract, rejectRecorded, submit } from './tenant.ts';

// The limits, with counters set in the table. The rows of the specification send 1,000 submissions instead, which takes
// a minute; 50,000 would take most of an hour.
const contract = openContract();

test('the limits are those of the specification', () => {
  expect(LIMITS).toMatchObject({ submissionsPerMinute: 1_000, submissionsPerDay: 50_000 });
});

describe.each(['1a', '1b'] as const)('on surface %s', (surface) => {
  test.each(['minute', 'day'] as const)(
    'a submission beyond the limit per %s gets the opaque rejection and is recorded',
    async (window) => {
      const tenant = await contract.newTenant();
      await contract.exhaust(tenant, surface, window);
      const { record } = await rejectRecorded(contract, surface, tenant);
      expect(record).toMatchObject({ reason: `rate_limited_${window}`, surface, formId: tenant.formId });
      expect(await contract.leadIds(tenant)).toEqual([]);
    },
  );

  test('a full minute leaves the other surface open', async () => {
    const tenant = await contract.newTenant();
    await contract.exhaust(tenant, surface, 'minute');
    expect((await submit(surface, tenant)).status).toBe(200);
    expect((await submit(surface === '1a' ? '1b' : '1a', tenant)).status).toBe(202);
  });
});

test('Diagnostics counts rate limits separately from all other reasons', async () => {
  const tenant = await contract.newTenant();
  await submit('1a', tenant, { body: '[]' });
  await contract.exhaust(tenant, '1a', 'minute');
  await submit('1a', tenant);
  const reasons = async (prefix: string) => {
    const read = () => contract.diagnostics(tenant.workspaceId, prefix);
    const counters = await until(read, (found) => found.length > 0);
    return new Set(counters.map(({ sk }) => String(sk).split('#').at(-2)));
  };
  expect(await reasons('limited#')).toEqual(new Set(['rate_limited_minute']));
  expect(await reasons('rejected#')).toEqual(new Set(['body_not_object']));
});
