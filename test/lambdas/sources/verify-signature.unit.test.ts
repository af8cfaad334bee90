import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { generatePayload } from '#leadctl/generate-payload.ts';
import { collectHeaders, type Headers } from '#model/headers.ts';
import { parseJsonObject } from '#model/lead-body.ts';
import { canBeReplayed, PROVIDER_NAMES, PROVIDERS, type Provider } from '#sources/providers.ts';
import { readDelivery } from '#sources/read-delivery.ts';
import { fieldsOf } from '#sources/shapes.ts';
import { signDelivery } from '#sources/sign-delivery.ts';
import {
  DECOY_SECRET,
  decoyProvider,
  looksLike,
  type SourceSecrets,
  verifySignature,
} from '#sources/verify-signature.ts';

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
const vectorOf = (name: string) => computed.find(({ provider }) => provider === name) as Vector;
const asSent = (headers: Vector['headers']) => collectHeaders(headers, null);

/** Verifies a vector with what differs from it. */
function verify(
  vector: Vector,
  differs: {
    headers?: Headers;
    body?: Uint8Array;
    secrets?: SourceSecrets;
    laterSeconds?: number;
    laterMilliseconds?: number;
  } = {},
) {
  const { laterSeconds = 0, laterMilliseconds = 0 } = differs;
  const delivery = {
    headers: differs.headers ?? asSent(vector.headers),
    body: differs.body ?? Buffer.from(vector.body),
    nowMilliseconds: (vector.nowSeconds + laterSeconds) * 1000 + laterMilliseconds,
  };
  return verifySignature(row(vector.provider), delivery, differs.secrets ?? { current: vector.secret });
}

const refusedFor = (reason: string) => expect.objectContaining({ reason }) as unknown;
const verifiedBy = (secret: string) => expect.objectContaining({ secret }) as unknown;

describe('the table of providers', () => {
  test('has a vector for each row', () => {
    expect([...PROVIDERS.keys()]).toEqual([...PROVIDER_NAMES]);
    expect(computed.map(({ provider }) => provider)).toEqual([...PROVIDER_NAMES]);
  });

  test.each([...PROVIDERS.values()])('$name signs the body, its time and the delivery ID', (provider) => {
    const { signature, time, deliveryId, events } = provider;
    expect(signature.message).toContain('{body}');
    if (time) expect(signature.message).toContain(`{${time.in}}`);
    if (deliveryId && 'header' in deliveryId) expect(signature.message).toContain(`{${deliveryId.header}}`);
    if (events) expect(events.defaults.every((event) => events.choices.includes(event))).toBe(true);
  });

  test('says where a replay stays possible after the delivery ID is forgotten', () => {
    const replayable = [...PROVIDERS.values()].filter(canBeReplayed);
    expect(replayable.map(({ name }) => name)).toEqual(['framer', 'github']);
  });
});

describe.each([...published, ...computed])('$provider with $headers', (vector) => {
  const provider = row(vector.provider);
  const names = Object.keys(vector.headers);
  const other = 'another-secret-of-the-same-form-0123456789AB';

  test('matches, whatever the case of the headers', () => {
    const { time, deliveryId } = provider;
    const byHeader = deliveryId && 'header' in deliveryId ? deliveryId.header : undefined;
    const expected = {
      secret: 'current',
      ...(byHeader && { deliveryId: vector.headers[byHeader] }),
      ...(time && { sentAtMilliseconds: vector.nowSeconds * 1000, skewSeconds: 0 }),
    };
    expect(verify(vector)).toEqual(expected);
    const upper = Object.entries(vector.headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    expect(verify(vector, { headers: collectHeaders(null, Object.fromEntries(upper)) })).toEqual(expected);
  });

  test('matches the previous secret too, and no third one', () => {
    expect(verify(vector, { secrets: { current: other, previous: vector.secret } })).toEqual(
      verifiedBy('previous'),
    );
    expect(verify(vector, { secrets: { current: vector.secret, previous: vector.secret } })).toEqual(
      verifiedBy('current'),
    );
    const mismatch = refusedFor('signature_mismatch');
    expect(verify(vector, { secrets: { current: other, previous: `${other}2345` } })).toEqual(mismatch);
    expect(verify(vector, { secrets: {} })).toEqual(mismatch);
  });

  test('does not match another body, not even one that means the same', () => {
    for (const body of [`${vector.body} `, vector.body.slice(1), '']) {
      expect(verify(vector, { body: Buffer.from(body) })).toEqual(refusedFor('signature_mismatch'));
    }
  });

  test.each(names)('is refused without %s', (name) => {
    const { [name]: _missing, ...rest } = vector.headers;
    const reason = name === provider.time?.in ? 'timestamp_missing' : 'signature_missing';
    const expected = { reason, detail: { header: name } };
    expect(verify(vector, { headers: asSent(rest) })).toEqual(expected);
    expect(verify(vector, { headers: asSent({ ...rest, [name]: '' }) })).toEqual(expected);
  });

  test.each(names)('is refused with %s twice, even if both are equal, or changed', (name) => {
    const multiple = Object.entries(vector.headers).map(([each, value]) => [each, [value]]);
    const doubled = { ...Object.fromEntries(multiple), [name]: [vector.headers[name], vector.headers[name]] };
    const reason = name === provider.time?.in ? 'timestamp_invalid' : 'signature_malformed';
    expect(verify(vector, { headers: collectHeaders(null, doubled) })).toEqual({
      reason,
      detail: { header: name, problem: 'sent more than once' },
    });
    const spellings = { ...vector.headers, [name.toLowerCase()]: 'x', [name.toUpperCase()]: 'x' };
    expect(verify(vector, { headers: asSent(spellings) })).toEqual(refusedFor(reason));
    const value = vector.headers[name] as string;
    // Neither the prefix nor the padding: a character of the signature, the time or the ID.
    const at = value.length - 5;
    const changed = value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1);
    expect(verify(vector, { headers: asSent({ ...vector.headers, [name]: changed }) })).toEqual(
      refusedFor('signature_mismatch'),
    );
  });

  test('is malformed with anything but a SHA-256 in the right form', () => {
    const { header } = provider.signature;
    const value = vector.headers[header] as string;
    const otherVersion = `${value.replace('v1', 'v0').replace('sha256', 'sha1')}x`;
    for (const bad of ['x', value.slice(0, -2), `${value}00`, otherVersion, 'sha256=', 'v1,', 't=1,v1=']) {
      const headers = asSent({ ...vector.headers, [header]: bad });
      expect([bad, verify(vector, { headers })]).toEqual([bad, refusedFor('signature_malformed')]);
    }
  });
});

describe('age', () => {
  const timed = computed.filter(({ provider }) => row(provider).time);

  test.each([
    ['stripe', 300],
    ['standard-webhooks', 300],
    ['svix', 300],
    ['calendly', 25 * 3600],
    ['webflow', 3600],
  ])('%s is accepted for %i seconds', (name, seconds) => {
    expect(timed.map(({ provider }) => provider)).toContain(name);
    const vector = vectorOf(name);
    expect(verify(vector, { laterSeconds: seconds })).toEqual(verifiedBy('current'));
    expect(verify(vector, { laterSeconds: seconds, laterMilliseconds: 999 })).toEqual(verifiedBy('current'));
    expect(verify(vector, { laterSeconds: seconds + 1 })).toEqual({
      reason: 'timestamp_out_of_window',
      detail: { skewSeconds: seconds + 1 },
      secret: 'current',
    });
  });

  test.each(timed)('$provider may be 300 seconds in the future', (vector) => {
    expect(verify(vector, { laterSeconds: -300 })).toEqual(verifiedBy('current'));
    expect(verify(vector, { laterSeconds: -301 })).toEqual({
      reason: 'timestamp_out_of_window',
      detail: { skewSeconds: -301 },
      secret: 'current',
    });
  });

  test.each(timed)('only an authentic request of $provider is called old', (vector) => {
    const secrets = { current: 'another-secret-of-the-same-form-0123456789AB' };
    expect(verify(vector, { laterSeconds: 1e6, secrets })).toEqual(refusedFor('signature_mismatch'));
  });

  test.each(['typeform', 'tally', 'framer', 'calcom', 'shopify', 'github'])('%s has none', (name) => {
    expect(verify(vectorOf(name), { laterSeconds: 1e9 })).toEqual(verifiedBy('current'));
  });

  test.each(['1e9', '-1', '1800000000.0', '0x1', '１８', '1'.repeat(17)])('%j is no time', (text) => {
    for (const vector of timed) {
      const { time, signature } = row(vector.provider);
      const value = vector.headers[signature.header] as string;
      const changed =
        time?.in === 't'
          ? { [signature.header]: value.replace(/t=\d+/, `t=${text}`) }
          : { [time?.in as string]: text };
      expect(verify(vector, { headers: asSent({ ...vector.headers, ...changed }) })).toEqual(
        refusedFor('timestamp_invalid'),
      );
    }
  });
});

describe('several signatures', () => {
  const wrong = (encoding: 'hex' | 'base64', at: number) => Buffer.alloc(32, at).toString(encoding);

  test.each([
    ['stripe', 'hex', 'v1=', ','],
    ['calendly', 'hex', 'v1=', ','],
    ['standard-webhooks', 'base64', 'v1,', ' '],
    ['svix', 'base64', 'v1,', ' '],
  ] as const)('of %s: the first eight count', (name, encoding, prefix, separator) => {
    const vector = vectorOf(name);
    const { header } = row(name).signature;
    const [start = '', right = ''] = (vector.headers[header] as string).split(prefix);
    const among = (before: number, others: readonly string[] = []) => {
      const wrongOnes = Array.from({ length: before }, (_, at) => prefix + wrong(encoding, at));
      const value =
        start + [...others, ...wrongOnes, prefix + right, prefix + wrong(encoding, 99)].join(separator);
      return verify(vector, { headers: asSent({ ...vector.headers, [header]: value }) });
    };
    expect(among(0)).toEqual(verifiedBy('current'));
    expect(among(7)).toEqual(verifiedBy('current'));
    expect(among(8)).toEqual(refusedFor('signature_mismatch'));
    // Other versions do not use up the eight.
    const others = Array.from({ length: 20 }, () => (separator === ' ' ? 'v1a,AAAA' : 'v0=00'));
    expect(among(7, others)).toEqual(verifiedBy('current'));
  });

  test('two times in one header are malformed', () => {
    const vector = vectorOf('stripe');
    const value = `t=1,${vector.headers['Stripe-Signature']}`;
    expect(verify(vector, { headers: asSent({ 'Stripe-Signature': value }) })).toEqual(
      refusedFor('timestamp_invalid'),
    );
  });
});

test('a blank cannot be moved from the body of Framer into the delivery ID', () => {
  const secret = 'a-secret-that-the-owner-has-chosen';
  const digest = createHmac('sha256', secret).update('{"a":1} id').digest('hex');
  const verifyAs = (body: string, id: string) =>
    verifySignature(
      row('framer'),
      {
        headers: asSent({ 'Framer-Signature': `sha256=${digest}`, 'Framer-Webhook-Submission-Id': id }),
        body: Buffer.from(body),
        nowMilliseconds: 0,
      },
      { current: secret },
    );
  expect(verifyAs('{"a":1} ', 'id')).toEqual({ secret: 'current', deliveryId: 'id' });
  expect(verifyAs('{"a":1}', ' id')).toEqual(refusedFor('signature_malformed'));
});

test('Cal.com says that it has no secret', () => {
  const headers = asSent({ 'X-Cal-Signature-256': 'no-secret-provided' });
  expect(verify(vectorOf('calcom'), { headers })).toEqual({
    reason: 'signature_malformed',
    detail: { problem: 'no secret set at the provider' },
  });
});

describe('another provider', () => {
  test('is recognized by its header, unless the expected one is there too', () => {
    const stripe = asSent(vectorOf('stripe').headers);
    expect(looksLike(stripe, row('typeform'))?.displayName).toBe('Stripe');
    expect(looksLike(stripe, row('stripe'))).toBeUndefined();
    expect(looksLike(new Map(), row('stripe'))).toBeUndefined();
    const both = asSent({ ...vectorOf('svix').headers, ...vectorOf('standard-webhooks').headers });
    expect(looksLike(both, row('svix'))).toBeUndefined();
  });

  test.each(computed)('$provider is its own decoy for a slug that does not exist', (vector) => {
    const headers = asSent(vector.headers);
    expect(decoyProvider(headers).name).toBe(vector.provider);
    expect(verify(vector, { headers, secrets: {} })).toEqual(refusedFor('signature_mismatch'));
  });

  test('the decoy secret signs nothing', () => {
    const digest = createHmac('sha256', DECOY_SECRET).update('{}').digest('hex');
    const headers = asSent({ 'X-Hub-Signature-256': `sha256=${digest}` });
    const delivery = { headers, body: Buffer.from('{}'), nowMilliseconds: 0 };
    expect(verifySignature(row('github'), delivery, { current: DECOY_SECRET })).toEqual(
      verifiedBy('current'),
    );
    expect(verifySignature(row('github'), delivery, {})).toEqual(refusedFor('signature_mismatch'));
  });

  test('nothing at all has a decoy, which refuses', () => {
    const delivery = { headers: new Map(), body: Buffer.from('{}'), nowMilliseconds: 0 };
    expect(verifySignature(decoyProvider(new Map()), delivery, {})).toEqual(refusedFor('signature_missing'));
  });
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
