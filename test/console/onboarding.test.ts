import { describe, expect, test } from '@jest/globals';
import {
  busiestFirst,
  isOver,
  readProgress,
  rememberOver,
  stepsOf,
} from '../../console/src/pages/overview/onboarding/progress.ts';

const SIGNAL = new AbortController().signal;
const REAL = { submissionId: 'lead_1' };
const TEST = { submissionId: 'lead_2', test: true };

interface Responses {
  readonly leads?: Readonly<Record<string, readonly object[]>>;
  readonly secrets?: readonly boolean[];
  readonly tokens?: readonly object[];
  /** Browser sending by form. */
  readonly forPages?: Readonly<Record<string, { enabled: boolean; origins: readonly string[] }>>;
  readonly destinations?: readonly object[];
}

/** The settings API of a workspace, and what was asked of it. */
function apiOf({ leads = {}, secrets = [], tokens = [], forPages = {}, destinations = [] }: Responses) {
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
    const form = { formId, browser: forPages[formId] ?? { enabled: false, origins: [] } };
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

  test('is complete with a real lead, also behind tests, and then asks for nothing else', async () => {
    const { client, asked } = apiOf({ leads: { a: [TEST], b: [TEST, REAL] } });
    expect(await readProgress(client, ['a', 'b', 'c'], SIGNAL)).toMatchObject({ lead: true });
    expect(asked).toEqual(['/settings/forms/a/leads', '/settings/forms/b/leads']);
  });

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
      ['/forms/f%2F1/delivery', '/tokens', '/forms/f%2F1/delivery#browser'],
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
