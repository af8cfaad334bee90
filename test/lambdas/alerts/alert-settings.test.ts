import { describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#alerts/alert.ts';
import { makeAlertStore } from '#alerts/alerts-store.ts';
import { DOCUMENT } from '../owner-api/api-document.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';

const fixture = openOwnerFixture();
const { newOwner } = fixture;

interface Schema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The fields of a schema, as in `silence.factor`. */
function fieldsOf({ properties = {} }: Schema, prefix = ''): [field: string, schema: Schema][] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties
      ? fieldsOf(schema, `${prefix}${name}.`)
      : [[`${prefix}${name}`, schema] as [string, Schema]],
  );
}

const { schemas } = DOCUMENT.components as { schemas: Record<string, Schema> };
const numbersOf = (name: string) =>
  fieldsOf(schemas[name] ?? {})
    .filter(([, { minimum }]) => minimum !== undefined)
    .map(([field, { type, minimum = 0, maximum = 0 }]) => [field, type, minimum, maximum] as const);
const RANGES = numbersOf('AlertSettings');

describe('the document', () => {
  test('has the same ranges for settings and for changes of them, and there are some', () => {
    expect(numbersOf('AlertSettingsChanges')).toEqual(RANGES);
    expect(RANGES.length).toBeGreaterThan(5);
  });

  test('has the defaults', () => {
    const found = fieldsOf(schemas.AlertSettings ?? {}).map(([field, schema]) => [field, schema.default]);
    const flat = Object.entries(DEFAULT_SETTINGS).flatMap(([name, value]) =>
      typeof value === 'object'
        ? Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner])
        : [[name, value]],
    );
    expect(found).toEqual(flat);
  });
});

describe('alert settings', () => {
  const change = async (owner: Owner, body: unknown) => (await owner.put('/alert-settings', { body })).body;

  test('are the defaults at first, and change only where something is given', async () => {
    const owner = await newOwner();
    expect((await owner.get('/alert-settings')).body).toEqual(DEFAULT_SETTINGS);
    expect(await change(owner, { silence: { factor: 2.5 } })).toEqual({
      ...DEFAULT_SETTINGS,
      silence: { enabled: true, factor: 2.5 },
    });
    const expected = {
      ...DEFAULT_SETTINGS,
      quietMinutes: 0,
      silence: { enabled: false, factor: 2.5 },
      clockDrift: { enabled: true, seconds: 30 },
    };
    const changes = { quietMinutes: 0, silence: { enabled: false }, clockDrift: { seconds: 30 } };
    expect(await change(owner, changes)).toEqual(expected);
    expect(await change(owner, {})).toEqual(expected);
    expect(await change(owner, { dailyLimit: {} })).toEqual(expected);
    expect((await owner.get('/alert-settings')).body).toEqual(expected);
    const { settings } = await makeAlertStore({
      client: fixture.observer,
      tables: fixture.stack.tables,
    }).read(owner.workspaceId, AbortSignal.timeout(10_000));
    expect(settings).toMatchObject(expected);
  });

  test('keep both of two changes at the same time', async () => {
    const owner = await newOwner();
    await Promise.all([
      change(owner, { quietMinutes: 5 }),
      change(owner, { silence: { enabled: false } }),
      change(owner, { dailyLimit: { percent: 90 } }),
    ]);
    expect((await owner.get('/alert-settings')).body).toMatchObject({
      quietMinutes: 5,
      silence: { enabled: false },
      dailyLimit: { percent: 90 },
    });
  });

  const bodyOf = (field: string, value: unknown) => {
    const [name = '', key] = field.split('.');
    return { [name]: key === undefined ? value : { [key]: value } };
  };

  test.each(RANGES)('%s is a %s from %d to %d', async (field, type, least, most) => {
    const owner = await newOwner();
    for (const value of [least, most]) {
      expect(await change(owner, bodyOf(field, value))).toMatchObject(bodyOf(field, value));
    }
    const what = type === 'integer' ? 'whole number' : 'number';
    const problem = `must be a ${what} from ${least} to ${most}`;
    for (const value of [least - 0.01, least - 1, most + 1, String(least), null]) {
      expect((await change(owner, bodyOf(field, value))).errors).toEqual([{ field, problem }]);
    }
  });

  test('report everything that is wrong at once, and stay as they are', async () => {
    const owner = await newOwner();
    const body = {
      quietMinutes: 5,
      silence: { enabled: 'yes', factor: 0, sensitivity: 3 },
      dailyLimit: 80,
      clockdrift: { seconds: 60 },
    };
    const { errors } = await change(owner, body);
    expect(errors).toEqual([
      { field: 'clockdrift', problem: 'is not a known field' },
      { field: 'silence.sensitivity', problem: 'is not a known field' },
      { field: 'silence.enabled', problem: 'must be true or false' },
      { field: 'silence.factor', problem: 'must be a number from 0.5 to 10' },
      { field: 'dailyLimit', problem: 'must be an object' },
    ]);
    expect((await owner.get('/alert-settings')).body).toEqual(DEFAULT_SETTINGS);
  });

  test.each([undefined, null, [], 'silence'])('do not take %j', async (body) => {
    const { errors } = await change(await newOwner(), body);
    expect(errors).toEqual([{ field: '', problem: 'must be an object' }]);
  });
});
