import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generatePayload } from '#leadctl/generate-payload.ts';
import { collectHeaders } from '#model/headers.ts';
import { parseJsonObject } from '#model/lead-body.ts';
import { PROVIDER_NAMES, PROVIDERS, type Provider } from '#sources/providers.ts';
import { readDelivery } from '#sources/read-delivery.ts';
import { fieldsOf } from '#sources/shapes.ts';
import { signDelivery } from '#sources/sign-delivery.ts';
import { verifySignature } from '#sources/verify-signature.ts';

interface Vector {
  readonly provider: string;
  readonly secret: string;
  readonly nowSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const { published, computed } = JSON.parse(
  readFileSync(new URL('vectors.json', import.meta.url), 'utf8'),
) as Record<'published' | 'computed', readonly Vector[]>;

const row = (name: string) => PROVIDERS.get(name) as Provider;

test.each([...published, ...computed])('signs as $provider does', (vector) => {
  const provider = row(vector.provider);
  const idHeader = provider.deliveryId && 'header' in provider.deliveryId ? provider.deliveryId.header : '';
  const headers = new Map(Object.entries(vector.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const signed = signDelivery(provider, {
    secret: vector.secret,
    body: Buffer.from(vector.body),
    nowMilliseconds: vector.nowSeconds * 1000,
    deliveryId: headers.get(idHeader.toLowerCase()) ?? '',
  });
  for (const [name, value] of Object.entries(signed)) expect(value).toBe(headers.get(name.toLowerCase()));
});

test.each(PROVIDER_NAMES)('a generated payload of %s is verified, and becomes a readable lead', (name) => {
  const provider = row(name);
  const now = Date.parse('2027-01-15T08:00:00Z');
  const lead = { name: 'Ada Byron', email: 'ada@engines.example', message: 'Please call me.' };
  const body = Buffer.from(JSON.stringify(generatePayload(name, lead, new Date(now))));
  const secret = Buffer.from('a secret of decent length').toString('base64');
  const headers = signDelivery(provider, { secret, body, nowMilliseconds: now, deliveryId: 'id-1' });
  const delivery = { headers: collectHeaders(headers, null), body, nowMilliseconds: now };
  expect(verifySignature(provider, delivery, { current: secret })).toMatchObject({ secret: 'current' });
  const parsed = parseJsonObject(body);
  expect(readDelivery(provider, parsed)).toMatchObject({ kind: 'lead', test: false });
  const fields = Object.values(fieldsOf(provider, parsed)?.fields ?? {});
  expect(fields).toEqual(expect.arrayContaining(['ada@engines.example', 'Please call me.']));
  const again = generatePayload(name, lead, new Date(now));
  if (provider.deliveryId && 'path' in provider.deliveryId)
    expect(again).not.toEqual(JSON.parse(body.toString()));
});
