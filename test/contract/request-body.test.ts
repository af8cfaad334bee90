import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Surface } from '../../lambdas/submission/limits.ts';
import { send } from './http.ts';
import { openContract, requestFor, submissionId, submit, visible } from './tenant.ts';

// Specification: Endpoints, request body; and what else can arrive as one.
const contract = openContract();
const SURFACES: Surface[] = ['1a', '1b'];
const REJECTED = { status: 200, body: '{"status":"rejected"}' };

const sized = (bytes: number) => `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;

describe.each(SURFACES)('a body on surface %s', (surface) => {
  test.each([
    ['131,072 bytes', sized(131_072)],
    ['131,072 bytes, of several each character', `{"padding":"${'€'.repeat(43_686)}"}`],
    ['an empty object', '{}'],
    ['UTF-8 beyond ASCII', '{"name":"Zoë Ångström 李雷 🚀","note":"naïve"}'],
    ['CRLF line ends and a trailing newline', '{\r\n  "a": 1\r\n}\r\n'],
    ['white space around', ' \t\n{"a":1}\n\n'],
    ['duplicate keys', '{"a":1,"a":2}'],
    ['__proto__ and constructor as keys', '{"__proto__":{"x":1},"constructor":"y","toString":null}'],
    ['an empty key', '{"":"empty"}'],
    ['numbers of 400 digits', `{"n":${'9'.repeat(400)},"f":0.${'1'.repeat(400)},"e":1e400,"z":-0}`],
    ['lone surrogates, escaped', '{"s":"\\ud800","t":"\\udfff\\ud800"}'],
    ['a NUL, escaped', '{"s":"a\\u0000b"}'],
    ['100,000 nested brackets', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['nested values', '{"a":{"b":{"c":[1,{"d":null}]}}}'],
    [
      '10,000 keys',
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))),
    ],
  ])('of %s becomes a lead that reads back exactly as sent', async (_, body) => {
    const tenant = await contract.newTenant();
    const id = submissionId(await submit(surface, tenant, { body }));
    expect((await contract.lead(id))?.body).toBe(body);
  });

  test.each([
    ['131,073 bytes', sized(131_073)],
    ['nothing', ''],
    ['null', 'null'],
    ['an array', '[{"email":"a@example.com"}]'],
    ['a string', '"lead"'],
    ['truncated base64', 'eyJlbWFpbCI6ImFkYUB'],
    ['an object that is cut', '{"email":"ada@example.com"'],
    ['100,000 open brackets', '['.repeat(100_000)],
    ['a byte order mark', '\uFEFF{"a":1}'],
    ['a form', 'email=ada%40example.com'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 73) % 256))],
    ['gzip without saying so', gzipSync('{"a":1}')],
  ])('of %s gets the opaque rejection and makes no lead', async (_, body) => {
    const tenant = await contract.newTenant();
    expect(visible(await submit(surface, tenant, { body }))).toMatchObject(REJECTED);
    expect(await contract.leadIds(tenant)).toEqual([]);
  });

  test('compressed with gzip and saying so gets the opaque rejection', async () => {
    const tenant = await contract.newTenant();
    const answer = await submit(surface, tenant, {
      body: gzipSync('{"a":1}'),
      headers: { 'Content-Encoding': 'gzip' },
    });
    expect(visible(answer)).toMatchObject(REJECTED);
  });

  test.each([200_000, 1_000_000, 5_000_000])('of %i bytes gets the opaque rejection', async (bytes) => {
    const tenant = await contract.newTenant();
    expect(visible(await submit(surface, tenant, { body: sized(bytes) }))).toMatchObject(REJECTED);
  });

  test('with a header of 8 KB gets an answer of the two', async () => {
    const tenant = await contract.newTenant();
    const answer = await submit(surface, tenant, { headers: { 'X-Long': 'x'.repeat(8_192) } });
    expect([200, 202]).toContain(answer.status);
  });

  test('sent in chunks is taken like any other', async () => {
    const tenant = await contract.newTenant();
    const request = requestFor(surface, tenant, {});
    submissionId(
      await send({
        ...request,
        headers: { ...request.headers, 'Content-Length': [], 'Transfer-Encoding': 'chunked' },
      }),
    );
  });
});

describe('a slug', () => {
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
  ])('of %s gets the opaque rejection', async (_, slug) => {
    const tenant = await contract.newTenant();
    expect(visible(await submit('1b', tenant, { slug }))).toMatchObject(REJECTED);
  });

  test('may be percent-encoded by the sender without need', async () => {
    const tenant = await contract.newTenant();
    const [first = '', ...rest] = tenant.slug;
    const slug = `%${first.charCodeAt(0).toString(16)}${rest.join('')}`;
    submissionId(await submit('1b', tenant, { slug }));
  });
});
