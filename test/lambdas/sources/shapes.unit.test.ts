import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { topLevelSources } from '#model/json-text.ts';
import { parseJsonObject } from '#model/lead-body.ts';
import { LIMITS } from '#model/limits.ts';
import { findRoles } from '#scoring/roles.ts';
import { PROVIDER_NAMES, PROVIDERS, type Provider } from '#sources/providers.ts';
import { readDelivery } from '#sources/read-delivery.ts';
import { fieldsOf, mapFields } from '#sources/shapes.ts';

interface Payload {
  readonly provider: string;
  readonly what: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly delivery: Readonly<Record<string, unknown>>;
  /** Absent if it makes no lead. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Written by hand from what each provider documents. */
const PAYLOADS = JSON.parse(
  readFileSync(new URL('payloads.json', import.meta.url), 'utf8'),
) as readonly Payload[];

const row = (name: string) => PROVIDERS.get(name) as Provider;
const parse = (text: string) => parseJsonObject(Buffer.from(text));
const fieldsFrom = (name: string, text: string) => mapFields(row(name), parse(text));

describe.each(PAYLOADS)('$provider: $what', ({ provider, body, delivery, fields }) => {
  test.each([
    ['compact', JSON.stringify(body)],
    ['indented', JSON.stringify(body, null, 2)],
  ])('is read (%s)', (_, text) => {
    expect(readDelivery(row(provider), parse(text))).toEqual(delivery);
    if (!fields) return;
    const mapped = fieldsOf(row(provider), parse(text));
    expect(mapped?.fields).toEqual(fields);
    expect(Object.keys(mapped?.fields ?? {})).toEqual(Object.keys(fields));
    expect(JSON.parse(mapped?.text ?? '')).toEqual(fields);
  });
});

test.each(PAYLOADS.filter(({ fields }) => JSON.stringify(fields)?.includes('@')))(
  'scoring finds the person in the fields of $provider: $what',
  ({ fields = {} }) => {
    const { email, name, firstName } = findRoles(fields);
    expect(email?.value).toBe('ada@example.com');
    expect((name ?? firstName)?.value).toMatch(/^Ada( Byron)?$/);
  },
);

test('there is a lead of every provider', () => {
  const leads = PAYLOADS.filter(({ delivery }) => delivery.kind === 'lead');
  expect(new Set(leads.map(({ provider }) => provider))).toEqual(new Set(PROVIDER_NAMES));
});

describe('events', () => {
  const customer = '{"id":"evt_1","type":"customer.created","livemode":true}';

  test('make leads if the form has chosen them', () => {
    const chosen = ['customer.created'];
    expect(readDelivery(row('stripe'), parse(customer), chosen).kind).toBe('lead');
    const checkout = '{"id":"evt_1","type":"checkout.session.completed"}';
    expect(readDelivery(row('stripe'), parse(checkout), chosen).kind).toBe('ignored');
  });

  test('of Standard Webhooks are all taken, unless the form has chosen some', () => {
    const lead = parse('{"type":"lead.created","data":{}}');
    const read = (chosen?: string[]) => readDelivery(row('standard-webhooks'), lead, chosen).kind;
    expect([read(), read([]), read(['lead.created']), read(['other'])]).toEqual([
      'lead',
      'lead',
      'lead',
      'ignored',
    ]);
  });

  test.each(['{}', '{"type":1}', '{"type":["checkout.session.completed"]}'])('without a name: %s', (body) => {
    expect(readDelivery(row('stripe'), parse(body)).kind).toBe('ignored');
  });
});

describe('the delivery ID', () => {
  const idOf = (name: string, body: string) => {
    const delivery = readDelivery(row(name), parse(body));
    return delivery.kind === 'lead' ? delivery.deliveryId : delivery.because;
  };
  const customer = (id: string) => `{"id":${id},"first_name":"A","last_name":"B","email":"a@example.com"}`;

  test('keeps all digits: neighbours above 2^53 are two customers', () => {
    expect(idOf('shopify', customer('9007199254740992'))).toBe('9007199254740992');
    expect(idOf('shopify', customer('9007199254740993'))).toBe('9007199254740993');
  });

  test.each(['null', '""', '{}', '[]', 'true', `"${'x'.repeat(501)}"`])('is absent as %s', (id) => {
    expect(idOf('shopify', customer(id))).toBeUndefined();
  });
});

test.each(['customer', 'line_items'])('a Shopify body with %s is no customer', (key) => {
  const body = { id: 1, first_name: 'A', last_name: 'B', email: null };
  expect(readDelivery(row('shopify'), parse(JSON.stringify(body))).kind).toBe('lead');
  expect(readDelivery(row('shopify'), parse(JSON.stringify({ ...body, [key]: [] }))).kind).toBe('ignored');
});

test("Shopify's test notification is a test, and its old time does not count", () => {
  const body = parse(
    '{"id":706405506930370084,"first_name":"Bob","last_name":"Biller","email":"b@example.com","updated_at":"2021-12-31T19:00:00-05:00"}',
  );
  expect(readDelivery(row('shopify'), body)).toEqual({
    kind: 'lead',
    test: true,
    deliveryId: '706405506930370084',
  });
});

test.each([
  ['2027-01-15T07:59:30Z', 1_799_999_970_000],
  ['2027-01-15T08:59:30.000+01:00', 1_799_999_970_000],
  ['2027-01-15T07:59:30', undefined],
  ['yesterday Z', undefined],
  [1_799_999_970, undefined],
  [null, undefined],
])('%j in the body is the time %p', (createdAt, expected) => {
  const body = parse(JSON.stringify({ eventType: 'FORM_RESPONSE', createdAt, data: {} }));
  expect(readDelivery(row('tally'), body)).toMatchObject({ kind: 'lead', happenedAtMilliseconds: expected });
});

describe('fields', () => {
  const tally = (fields: readonly string[]) => `{"data":{"fields":[${fields.join(',')}]}}`;
  const labelled = (label: string, value: string) => `{"label":${JSON.stringify(label)},"value":${value}}`;

  test.each(['9007199254740993', '-12345678901234567890', '1.10', '1e400', '0.12345678901234567890'])(
    'keep the number %s as it was sent',
    (number) => {
      const typeform = `{"form_response":{"answers":[{"type":"number","number":${number},"field":{"ref":"amount"}}]}}`;
      for (const [name, key, body] of [
        ['tally', 'Amount', tally([labelled('Amount', number)])],
        ['typeform', 'amount', typeform],
        ['webflow', 'Amount', `{"payload":{"data":{"Amount":${number}}}}`],
        ['github', 'a.amount', `{"a":{"amount":${number}}}`],
      ] as const) {
        expect(topLevelSources(fieldsFrom(name, body)?.text ?? '').get(key)).toBe(number);
      }
      const listed = fieldsFrom('github', `{"list":[${number},1]}`);
      expect(listed?.fields).toEqual({ list: `${number}, 1` });
    },
  );

  test('are the body itself if it is flat', () => {
    const body = parse('{ "name" : "Ada", "n": 9007199254740993, "none": null }');
    expect(fieldsOf(row('framer'), body)).toBe(body);
    expect(fieldsOf(row('github'), body)).toBe(body);
  });

  test('number equal labels, also beside a label that ends in a number', () => {
    const labels = ['Name', 'Name 2', 'Name', 'Name ', ' Name\n', '', ''];
    const mapped = fieldsFrom('tally', tally(labels.map((label, at) => labelled(label, String(at)))));
    expect(mapped?.fields).toEqual({
      Name: 0,
      'Name 2': 1,
      'Name 3': 2,
      'Name 4': 3,
      'Name 5': 4,
      field: 5,
      'field 2': 6,
    });
  });

  test.each(['é𝄞', '𝄞', 'a𝄞𝄞𝄞𝄞', 'ab '])('shorten long labels of %s, and keep them apart', (part) => {
    const label = (part[0] === 'a' ? 'a' : '') + part.repeat(100);
    const mapped = fieldsFrom('tally', tally(['1', '2', '3'].map((value) => labelled(label, value))));
    const keys = Object.keys(mapped?.fields ?? {});
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      expect(key.length).toBeLessThanOrEqual(80);
      expect(key.length).toBeGreaterThan(74);
      expect(key.isWellFormed()).toBe(true);
      expect(key).not.toContain('\ufffd');
    }
  });

  test('replace half a character that was sent', () => {
    expect(fieldsFrom('tally', tally(['{"label":"a\\ud800","value":1}']))?.fields).toEqual({ 'a\ufffd': 1 });
  });

  test('come from the last of equal keys, as JSON.parse reads them', () => {
    const field = '{"label":"First","label":"L\\u0061st","value":1,"value":2}';
    expect(fieldsFrom('tally', tally([field]))?.fields).toEqual({ Last: 2 });
  });

  test('leave out what is nested deeper than five levels', () => {
    const body = '{"a":{"b":{"c":{"d":{"e":1,"f":{"g":2}}}}}}';
    expect(fieldsFrom('github', body)?.fields).toEqual({ 'a.b.c.d.e': 1 });
  });

  test('show a choice that is no ID as it is', () => {
    const field = '{"label":"Plan","value":[{"x":1}],"options":[{"id":"o","text":"Team"}]}';
    expect(fieldsFrom('tally', tally([field]))?.fields).toEqual({ 'Plan.1.x': 1 });
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('may have the key %s', (key) => {
    const text = `{"a":{},"${key}":{"email":"x@example.com","polluted":true}}`;
    const sent = [
      ['github', text],
      ['svix', `{"type":"t","data":${text}}`],
      ['webflow', `{"payload":{"data":{"${key}":"x@example.com"}}}`],
      ['tally', tally([labelled(key, '"x@example.com"')])],
      [
        'typeform',
        `{"form_response":{"answers":[{"type":"${key}","field":{"ref":"${key}"}}],"hidden":${text}}}`,
      ],
      ['calcom', `{"payload":{"responses":{"${key}":{"label":"${key}","value":"x@example.com"}}}}`],
    ] as const;
    for (const [name, body] of sent) {
      const mapped = fieldsFrom(name, body);
      expect(Object.getPrototypeOf(mapped?.fields)).toBe(Object.prototype);
      expect(mapped?.text).toContain(key);
      expect(mapped?.text).toContain('x@example.com');
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('take nothing from the prototype', () => {
    const body =
      '{"__proto__":{"data":{"fields":[{"label":"x","value":1}]},"payload":{"email":"x@example.com"}}}';
    expect(fieldsFrom('tally', body)).toBeUndefined();
    expect(fieldsFrom('calendly', body)).toBeUndefined();
    expect(
      readDelivery(row('stripe'), parse('{"__proto__":{"type":"checkout.session.completed"}}')).kind,
    ).toBe('ignored');
  });

  test('are at most 150, and at most 128 KB even if keys repeat', () => {
    const many = tally(Array.from({ length: 400 }, (_, at) => labelled(`Question ${at}`, '"x"')));
    expect(Object.keys(fieldsFrom('tally', many)?.fields ?? {})).toHaveLength(150);
    expect(
      Object.keys(fieldsFrom('github', `{"a":{"b":[${'{"c":1},'.repeat(400)}{}]}}`)?.fields ?? {}),
    ).toHaveLength(150);
    const flat = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`q${at}`, at]));
    expect(Object.keys(fieldsFrom('framer', JSON.stringify(flat))?.fields ?? {})).toHaveLength(150);
    // One option of 40 KB, chosen five times.
    const text = 'x'.repeat(40_000);
    const options = `"options":[{"id":"o","text":"${text}"}]`;
    const chosen = `{"label":"Plan","value":["o","o","o","o","o"],${options}}`;
    const mapped = fieldsFrom('tally', tally([chosen, labelled('Name', '"Ada"')]));
    expect(mapped?.fields).toEqual({ Name: 'Ada' });
  });

  test.each(['{}', '{"data":null}', '{"data":{"fields":{}}}', '{"data":{"fields":[null,1,"x",[]]}}'])(
    'are missing if the payload is not as expected: %s',
    (body) => {
      expect(fieldsFrom('tally', body)).toBeUndefined();
    },
  );

  test.each(['{', '{{', '{{a', '\\n', ' ', '-', '\\ud83d'])(
    'take little time for a title of many %j',
    (part) => {
      const text = part.repeat(Math.floor(100_000 / part.length));
      const field = `{"id":"f","title":"${text}","label":"${text}","value":1}`;
      const answer = `{"type":"text","text":"x","field":{"id":"f","ref":"${text}"}}`;
      const body = `"form_response":{"definition":{"fields":[${field}]},"answers":[${answer}]}`;
      const startedAt = performance.now();
      for (const name of PROVIDER_NAMES) fieldsFrom(name, `{"data":{"fields":[${field}]},${body}}`);
      expect(performance.now() - startedAt).toBeLessThan(3_000);
    },
  );

  test('are missing if the payload nests deeper than any form', () => {
    const deep = `{"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    for (const provider of PROVIDERS.values()) expect(mapFields(provider, parse(deep))).toBeUndefined();
  });
});

describe('3,000 mutated bodies', () => {
  const strange = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      null,
      '',
      '__proto__',
      'constructor',
      1e21,
      -0,
      '\ud800',
      [],
      {},
      [[]],
      'x'.repeat(3_000),
    ),
  );

  /** A copy in which the value at a place of the tree is replaced, removed, doubled or wrapped. */
  function mutate(value: unknown, path: readonly number[], how: number, by: unknown): unknown {
    const [step, ...rest] = path;
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
    if (step === undefined || entries.length === 0) return [by, [value], { value }, [value, value]][how % 4];
    const at = step % entries.length;
    const [key, inner] = entries[at] as [string, unknown];
    if (rest.length === 0 && how >= 4)
      entries.splice(at, how === 4 ? 1 : 0, [how === 5 ? '__proto__' : 'type', by]);
    else entries[at] = [key, mutate(inner, rest, how, by)];
    return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
  }

  const mutation = fc.tuple(fc.array(fc.nat(40), { maxLength: 7 }), fc.nat(6), strange);

  test('never throw, and never exceed the limits', () => {
    let mapped = 0;
    const property = fc.property(
      fc.constantFrom(...PAYLOADS),
      fc.constantFrom(...PROVIDER_NAMES),
      fc.boolean(),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      ({ provider, body }, other, isOther, mutations) => {
        const changed = mutations.reduce<unknown>(
          (each, [path, how, by]) => mutate(each, path, how, by),
          body,
        );
        const isObject = typeof changed === 'object' && changed !== null && !Array.isArray(changed);
        const parsed = parse(JSON.stringify(isObject ? changed : { changed }));
        const chosen = row(isOther ? other : provider);
        readDelivery(chosen, parsed);
        const found = mapFields(chosen, parsed);
        if (!found) return true;
        mapped += 1;
        // No expect() here: it would take most of the time.
        const values = Object.values(found.fields);
        return (
          values.length <= 150 &&
          Buffer.byteLength(found.text) <= LIMITS.bodyBytes &&
          isDeepStrictEqual(JSON.parse(found.text), found.fields) &&
          (found === parsed || values.every((value) => typeof value !== 'object'))
        );
      },
    );
    fc.assert(property, { numRuns: 3_000 });
    expect(mapped).toBeGreaterThan(900);
  });
});
