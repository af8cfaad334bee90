import { describe, expect, test } from '@jest/globals';
import { type ClientOptions, type Lead, makeClient } from '../../packages/client/src/index.ts';
import { ACCEPTED, BASE, LEAD, SECRET, TOKEN, WITH_SECRET, WITH_TOKEN, world } from './client-world.ts';

describe('what can never succeed fails at once', () => {
  const circle: Lead = {};
  circle.itself = circle;
  test.each<[what: string, lead: unknown]>([
    ['text', '{}'],
    ['null', null],
    ['an array', [LEAD]],
    ['a map', new Map([['name', 'Zoë']])],
    ['a circle', circle],
    ['a large integer', { amount: 1n }],
    ['an object that becomes text', { toJSON: () => 'Zoë' }],
    ['131,073 bytes', { note: 'é'.repeat(65_531) }],
  ])('a lead that is %s', async (_, lead) => {
    const { sendLead, sent } = world(WITH_TOKEN, [ACCEPTED]);
    await expect(sendLead(lead as Lead)).rejects.toThrow(/^The lead (must be|can’t be|has 131073 bytes)/);
    expect(sent).toEqual([]);
  });

  test('but the largest lead, an empty one, and an object without a prototype are sent', async () => {
    const { sendLead, sent } = world(WITH_TOKEN, [ACCEPTED]);
    for (const lead of [{ note: `a${'é'.repeat(65_530)}` }, {}, Object.create(null)]) await sendLead(lead);
    expect(sent.map(({ body }) => Buffer.byteLength(body))).toEqual([131_072, 2, 2]);
  });

  test.each(['', ' ', ' a', 'ü', 'a\nb', 'a'.repeat(256), 7 as unknown as string])(
    'the key %j',
    async (key) => {
      const { sendLead, sent } = world(WITH_TOKEN, [ACCEPTED]);
      await expect(sendLead(LEAD, { idempotencyKey: key })).rejects.toThrow(
        /^idempotencyKey must have 1 to 255/,
      );
      await sendLead(LEAD, { idempotencyKey: 'a'.repeat(255) });
      expect(sent).toHaveLength(1);
    },
  );

  test.each<[what: string, options: object, message: RegExp]>([
    ['a token of a page', { baseUrl: BASE, token: `ingt_brw_${TOKEN.slice(9)}` }, /not a server token/],
    ['a token with a line break', { baseUrl: BASE, token: `${TOKEN}\n` }, /not a server token/],
    ['a token as a secret', { ...WITH_SECRET, secret: TOKEN }, /not a webhook secret/],
    ['no secret', { baseUrl: BASE, slug: 'contact-us', secret: undefined }, /not a webhook secret/],
    ['a slug with a slash', { ...WITH_SECRET, slug: 'a/b' }, /slug/],
    ['no token', { baseUrl: BASE, token: undefined }, /^Pass \{ baseUrl, token \}/],
    ['a token and a secret', { ...WITH_SECRET, token: TOKEN }, /^Pass/],
    ['two addresses', { ...WITH_TOKEN, sourcesUrl: BASE }, /^Pass/],
    ['a secret for tools', { sourcesUrl: BASE, slug: 'a', secret: SECRET }, /takes a token/],
    ['no address', { baseUrl: '', token: TOKEN }, /^baseUrl is not/],
    ['an address with a password', { baseUrl: 'https://a:b@example.com', token: TOKEN }, /^baseUrl is not/],
    ['an address with a query', { baseUrl: `${BASE}?a`, token: TOKEN }, /^baseUrl is not/],
    ['the whole address', { baseUrl: `${BASE}/api/v1/ingest`, token: TOKEN }, /leave out/],
    ['the whole address for tools', { sourcesUrl: `${BASE}/sources/v1`, token: TOKEN }, /leave out/],
    ['more than 23 hours', { ...WITH_TOKEN, giveUpAfterMilliseconds: 23 * 3_600_000 + 1 }, /23 hours/],
    ['no number', { ...WITH_TOKEN, giveUpAfterMilliseconds: Number.NaN }, /23 hours/],
  ])('a client with %s', (_, options, message) => {
    expect(() => makeClient(options as ClientOptions)).toThrow(message);
    expect(() => makeClient(options as ClientOptions)).not.toThrow(TOKEN.slice(9));
  });
});
