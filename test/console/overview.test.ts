import { describe, expect, test } from '@jest/globals';
import type { Diagnostics, ListedForm, Stats } from '../../console/src/api/types.ts';
import { acceptedAndRejected, leadsByForm, scoreBands } from '../../console/src/pages/overview/chart-data.ts';
import {
  busiestFirst,
  isOver,
  readProgress,
  rememberOver,
  stepsOf,
} from '../../console/src/pages/overview/onboarding/progress.ts';
import {
  axisMaximum,
  bucketsBetween,
  DAY_BY_HOUR,
  findRange,
  formatCount,
  MONTH_BY_DAY,
  rangeStart,
  stackSeries,
  WEEK_BY_DAY,
} from '../../console/src/shared/time-series.ts';

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

  test('of a month by day fit into the longest range of hourly counts', () => {
    expect(now - Date.parse(rangeStart(MONTH_BY_DAY, now))).toBeLessThan(31 * 24 * 60 * 60 * 1000);
  });

  test('have a bucket for every hour or day, including the current one', () => {
    expect(bucketsBetween(FROM, TO, 'hour')).toHaveLength(3);
    expect(bucketsBetween('2026-11-09T00:00:00Z', TO, 'day')).toHaveLength(7);
  });

  test('default to the first if the URL is invalid', () => {
    expect(findRange('99y', [DAY_BY_HOUR, WEEK_BY_DAY])).toBe(DAY_BY_HOUR);
    expect(findRange('7d', [DAY_BY_HOUR, WEEK_BY_DAY])).toBe(WEEK_BY_DAY);
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
    expect(series.map(({ title }) => title)).toEqual([
      'k0',
      'k1',
      'k2',
      'k3',
      'k4',
      'k5',
      'k6',
      'k7',
      'rest',
    ]);
    expect(series.at(-1)?.data.map(({ y }) => y)).toEqual([12 + 11 + 10, 0, 0]);
  });
});

describe('leads by form', () => {
  test('have a value for each hour, the largest form first', () => {
    const read = stats([
      ['2026-11-15T12:00:00Z', 'f1', 1],
      ['2026-11-15T12:00:00Z', 'f2', 5],
      ['2026-11-15T10:00:00Z', 'f1', 2],
    ]);
    expect(values(leadsByForm(read, [form('f1', 'One'), form('f2', 'Two')], 'hour'))).toEqual([
      ['Two', [0, 0, 5]],
      ['One', [2, 0, 1]],
    ]);
  });

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

test('score bands are named by both ends', () => {
  expect(scoreBands(stats([]))).toEqual([
    { x: '0–19', y: 1 },
    { x: '20–39', y: 0 },
    { x: '40–59', y: 2 },
    { x: '60–79', y: 0 },
    { x: '80–100', y: 6 },
  ]);
});

test('a count axis has whole ticks and is never flat', () => {
  expect([formatCount(2), formatCount(0.5)]).toEqual(['2', '']);
  expect([axisMaximum(0), axisMaximum(1000)]).toEqual([4, 1050]);
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
  test('that is new has nothing', async () => {
    expect(await progressOf({}, [])).toEqual(NOTHING);
  });

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

  test('counts a destination', async () => {
    expect(await progressOf({ destinations: [{}] })).toMatchObject({ destination: true });
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

describe('the steps', () => {
  const hrefs = (formIds: readonly string[]) =>
    stepsOf({ ...NOTHING, form: formIds.length > 0 }, formIds).map(({ links }) =>
      links.map(({ href }) => href),
    );

  test('link to where each is done', () => {
    expect(hrefs(['f/1'])).toEqual([
      ['/forms'],
      [
        '/forms/f%2F1/delivery',
        '/forms/f%2F1/delivery?via=provider',
        '/tokens',
        '/forms/f%2F1/delivery#browser',
      ],
      ['/send-test?form=f%2F1'],
      ['/forms/f%2F1/delivery'],
      ['/destinations'],
    ]);
  });

  test('begin with creating a form', () => {
    expect(hrefs([])[0]).toEqual(['/forms?create=true']);
  });
});

describe('a checklist that is over', () => {
  test('is remembered per workspace, without any content', () => {
    const kept = new Map<string, string>();
    const store = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    expect(isOver(store, 'ws_1')).toBe(false);
    rememberOver(store, 'ws_1');
    expect([isOver(store, 'ws_1'), isOver(store, 'ws_2')]).toEqual([true, false]);
    expect([...kept.values()]).toEqual(['1']);
  });

  test('works without storage', () => {
    const denied = () => {
      throw new Error('denied');
    };
    rememberOver({ getItem: denied, setItem: denied }, 'ws_1');
    expect(isOver({ getItem: denied, setItem: denied }, 'ws_1')).toBe(false);
  });
});
