import { expect, test } from '@jest/globals';
import { openContract, submissionId, submit } from './tenant.ts';

// How a URL is parsed is up to API Gateway, so a live stack is not tested for these.
const contract = openContract();

test.each([
  ['%00', '%00'],
  ['a NUL within', 'contact%00-5af3'],
  ['..', '..'],
  ['../ encoded', '..%2F..%2Fetc'],
  ['a slash encoded', 'a%2Fb'],
  ['broken percent-encoding', '%E0%A4%A'],
  ['a lone percent sign', '%'],
  ['2,000 characters', 'x'.repeat(2_000)],
  ['UTF-8', '%F0%9F%9A%80'],
  ['white space', '%20'],
  ['nothing', ''],
])('a slug of %s gets the opaque rejection', async (_, slug) => {
  const { status, body } = await submit('1b', await contract.newTenant(), { slug });
  expect([status, body]).toEqual([200, '{"status":"rejected"}']);
});

test('a slug may be percent-encoded without need', async () => {
  const tenant = await contract.newTenant();
  const [first = '', ...rest] = tenant.slug;
  const slug = `%${first.charCodeAt(0).toString(16)}${rest.join('')}`;
  submissionId(await submit('1b', tenant, { slug }));
});
