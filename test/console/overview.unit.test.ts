import { describe, expect, test } from '@jest/globals';
import type { Diagnostics, ListedForm, Stats } from '../../console/src/api/types.ts';
import { acceptedAndRejected, leadsByForm } from '../../console/src/pages/overview/chart-data.ts';
import {
  busiestFirst,
  isOver,
  readProgress,
  rememberOver,
} from '../../console/src/pages/overview/onboarding/progress.ts';
import { DAY_BY_HOUR, rangeStart, stackSeries, WEEK_BY_DAY } from '../../console/src/shared/time-series.ts';

const FROM = '2026-11-15T10:00:00Z';
const TO = '2026-11-15T13:00:00Z';
const ANONYMOUS_IDENTITY = { accepted: 0, clean: 0, bands: [0, 0, 0, 0, 0] };

function stats(counts: [at: string, formId: string, accepted: number][]): Stats {
  return {
    by: 'hour',
    scoreBandsFrom: [0, 20, 40, 60, 80],
    from: FROM,
    to: TO,
    total: { accepted: 9, clean: 5, bands: [1, 0, 2, 0, 6] },
    counts: counts.map(([at, formId, accepted]) => ({ ...ANONYMOUS_IDENTITY, at, formId, accepted })),
    truncated: false,
    completeFrom: FROM,
  };
}

const form = (formId: string, name: string) => ({ formId, name, slug: `${formId}-slug` }) as ListedForm;
const values = (series: ReturnType<typeof stackSeries>) =>
  series.map(({ title, data }) => [title, data.map(({ y }) => y)]);

describe('time ranges', () => {
  const now = Date.parse('2026-11-15T12:20:00Z');

  test('end with the hour or day that has just begun', () => {
    expect(rangeStart(DAY_BY_HOUR, now)).toBe('2026-11-14T13:00:00.000Z');
    expect(rangeStart(WEEK_BY_DAY, now)).toBe('2026-11-09T00:00:00.000Z');
  });
});

describe('stacked series', () => {
  test('keep the eight largest and group the rest', () => {
    const counts = Array.from({ length: 11 }, (_, at) => ({ at: FROM, kind: `k${at}`, count: 20 - at }));
    const series = stackSeries(counts, {
      from: FROM,
      to: TO,
      bucket: 'hour',
      titleOf: (kind) => kind,
      rest: 'rest',
    });
    expect(series.map(({ title }) => title).join()).toBe('k0,k1,k2,k3,k4,k5,k6,k7,rest');
    expect(series.at(-1)?.data.map(({ y }) => y)).toEqual([12 + 11 + 10, 0, 0]);
  });
});

describe('leads by form', () => {
  test('distinguish forms with equal names and group unknown ones', () => {
    const read = stats([
      [FROM, 'f1', 9],
      [FROM, 'f2', 8],
      [FROM, 'gone1', 3],
      [FROM, 'gone2', 4],
    ]);
    expect(values(leadsByForm(read, [form('f1', 'Same'), form('f2', 'Same')], 'hour'))).toEqual([
      ['Same (f1-slug)', [9, 0, 0]],
      ['Same (f2-slug)', [8, 0, 0]],
      ['Archived forms', [7, 0, 0]],
    ]);
  });
});

describe('accepted against rejected', () => {
  test('sums hours to days and always has three series', () => {
    const rejected = [
      { at: '2026-11-15T11:00:00Z', count: 2 },
      { at: '2026-11-15T12:00:00Z', count: 1 },
    ];
    const diagnostics = {
      rejected: { counts: rejected },
      rateLimited: { counts: [] },
    } as unknown as Diagnostics;
    const read = { ...stats([['2026-11-15T00:00:00Z', 'f1', 4]]), from: '2026-11-14T00:00:00Z' };
    expect(values(acceptedAndRejected(read, diagnostics, 'day'))).toEqual([
      ['Accepted', [0, 4]],
      ['Rejected', [0, 3]],
      ['Rate limited', [0, 0]],
    ]);
  });
});

const SIGNAL = new AbortController().signal;
const REAL = { submissionId: 'lead_1' };
const TEST = { submissionId: 'lead_2', test: true };

interface Responses {
  readonly leads?: Readonly<Record<string, readonly object[]>>;
  readonly secrets?: readonly boolean[];
  readonly tokens?: readonly object[];
  /** Browser sending by form. */
  readonly forPages?: Readonly<Record<string, { enabled: boolean; origins: readonly string[] }>>;
  readonly providers?: Readonly<Record<string, { readonly name: string }>>;
  readonly destinations?: readonly object[];
}

/** The settings API of a workspace, and what was asked of it. */
function apiOf({
  leads = {},
  secrets = [],
  tokens = [],
  forPages = {},
  providers = {},
  destinations = [],
}: Responses) {
  const asked: string[] = [];
  const responses: Readonly<Record<string, unknown>> = {
    '/settings/deliveries': { deliveries: secrets.map((isSet) => ({ secret: { isSet } })) },
    '/settings/tokens': { tokens },
    '/settings/destinations': { destinations },
  };
  async function get<T>(path: string): Promise<T> {
    asked.push(path);
    if (responses[path]) return responses[path] as T;
    const [, formId = '', leadsOnly] = /^\/settings\/forms\/([^/]*)(\/leads)?$/.exec(path) ?? [];
    const form = {
      formId,
      browser: forPages[formId] ?? { enabled: false, origins: [] },
      provider: providers[formId] ?? null,
    };
    return (leadsOnly ? { columns: [], rows: leads[formId] ?? [] } : form) as T;
  }
  return { client: { get }, asked };
}

const progressOf = (responses: Responses, formIds = ['a', 'b']) =>
  readProgress(apiOf(responses).client, formIds, SIGNAL);
const NOTHING = { form: false, credential: false, test: false, lead: false, destination: false };

describe('the progress of a workspace', () => {
  test.each([
    ['a webhook secret', { secrets: [false, true] }, true],
    ['a server token', { tokens: [{ formId: 'b' }] }, true],
    ['browser sending', { forPages: { b: { enabled: true, origins: ['https://shop.example.com'] } } }, true],
    ['a provider', { providers: { b: { name: 'typeform' } } }, true],
    ['browser sending without origins', { forPages: { b: { enabled: true, origins: [] } } }, false],
    ['only a revoked token', { tokens: [{ formId: 'b', revokedAt: '2026-11-15T12:00:00Z' }] }, false],
    ['only a token of an archived form', { tokens: [{ formId: 'archived' }] }, false],
    ['no secret', { secrets: [false, false] }, false],
  ])('with %s', async (_, responses, credential) => {
    expect(await progressOf(responses)).toEqual({ ...NOTHING, form: true, credential });
  });

  test('counts a test lead as a test, not as the first lead', async () => {
    expect(await progressOf({ leads: { b: [TEST] } })).toEqual({ ...NOTHING, form: true, test: true });
  });

  test.each([
    ['without a destination', [], false],
    ['with a destination', [{}], true],
  ])(
    'with a real lead, also behind tests, lacks at most a destination: %s',
    async (_, destinations, destination) => {
      const { client, asked } = apiOf({ leads: { a: [TEST], b: [TEST, REAL] }, destinations });
      expect(await readProgress(client, ['a', 'b', 'c'], SIGNAL)).toEqual({
        form: true,
        credential: true,
        test: true,
        lead: true,
        destination,
      });
      expect(asked).toEqual(['/settings/forms/a/leads', '/settings/forms/b/leads', '/settings/destinations']);
    },
  );

  test('asks for the leads of few forms', async () => {
    const { client, asked } = apiOf({});
    await readProgress(
      client,
      Array.from({ length: 100 }, (_, at) => `f${at}`),
      SIGNAL,
    );
    expect(asked).toHaveLength(10 + 3 + 10);
  });
});

test('forms with the most leads are asked first', () => {
  const counts = [
    { formId: 'b', accepted: 2 },
    { formId: 'c', accepted: 3 },
    { formId: 'b', accepted: 2 },
  ];
  expect(busiestFirst(['a', 'b', 'c'], counts)).toEqual(['b', 'c', 'a']);
});

test('a checklist that is over needs no storage', () => {
  const denied = () => {
    throw new Error('denied');
  };
  rememberOver({ getItem: denied, setItem: denied }, 'ws_1');
  expect(isOver({ getItem: denied, setItem: denied }, 'ws_1')).toBe(false);
});
