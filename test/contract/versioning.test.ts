import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { send } from './http.ts';
import { openContract } from './tenant.ts';

// Specification: Versioning
const contract = openContract();

describe('the retired path /api/ingest/:slug', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'answers 410 to %s',
    async (method) => {
      expect((await send({ method, path: '/api/ingest/contact-us' })).status).toBe(410);
    },
  );

  test.each([
    ['JSON', 'application/json', '{}'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1'],
    ['an image', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
    ['a type that does not exist', 'nonsense', 'x'],
    ['nothing', undefined, ''],
    ['140 KB', 'application/json', 'x'.repeat(140_000)],
  ])('answers 410 to %s', async (_, type, body) => {
    const headers: Record<string, string> = type ? { 'Content-Type': type } : {};
    expect((await send({ path: '/api/ingest/contact-us', headers, body })).status).toBe(410);
  });

  test('answers 410 to a compressed body', async () => {
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
    expect((await send({ path: '/api/ingest/x', headers, body: gzipSync('{}') })).status).toBe(410);
  });

  test('answers alike for a slug that exists', async () => {
    const { slug } = await contract.newTenant();
    const [known, unknown] = [
      await send({ path: `/api/ingest/${slug}` }),
      await send({ path: '/api/ingest/no-such' }),
    ];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  });
});
