import { describe, expect, test } from '@jest/globals';
import { makeClient } from '../../console/src/api/client.ts';
import { ApiProblem, errorMessage as inWords, notFoundText } from '../../console/src/api/problem.ts';
import {
  activeItem,
  contentType,
  hasFailed,
  isStale,
  type NoticeType,
  noticesFor,
  staleSince,
  tabTitle,
  withNotice,
} from '../../console/src/shell/shell-rules.ts';
import { issueTokens, openBrowserTabs } from './signed-in.ts';

describe('a notice', () => {
  const notice = (type: NoticeType, path: string) => ({ type, path });

  test('of a success is shown only on its page', () => {
    const made = notice('success', '/forms/a/delivery');
    expect(noticesFor([made], '/forms/a/delivery')).toEqual([made]);
    expect(noticesFor([made, notice('info', '/forms')], '/tokens')).toEqual([]);
  });

  test('of an error stays until dismissed', () => {
    const failed = notice('error', '/forms');
    expect(noticesFor([failed], '/tokens')).toEqual([failed]);
  });

  test('that is new comes first, and pushes out the oldest of three', () => {
    const all = ['/1', '/2', '/3', '/4'].map((path) => notice('success', path));
    const shown = all.reduce<readonly (typeof all)[number][]>(withNotice, []);
    expect(shown.map(({ path }) => path)).toEqual(['/4', '/3', '/2']);
  });

  test('replaces the one about the same subject, whose buttons no longer apply', () => {
    const about = (path: string, subject?: string) => ({
      ...notice('success', path),
      ...(subject && { subject }),
    });
    const shown = [about('/1'), about('/2', 'lead'), about('/3'), about('/4', 'lead')];
    const last = shown.reduce<readonly (typeof shown)[number][]>(withNotice, []);
    expect(last.map(({ path }) => path)).toEqual(['/4', '/3', '/1']);
  });
});

describe('the title of a tab', () => {
  const forms = { text: 'Forms' };

  test('names the form of the page', () => {
    expect(tabTitle('Delivery settings', [forms, { text: 'Contact us' }])).toBe(
      'Delivery settings · Contact us · Lead ingest',
    );
  });

  test.each([
    ['Overview', [], 'Overview · Lead ingest'],
    ['Alert settings', [{ text: 'Alerts' }], 'Alert settings · Lead ingest'],
    ['Leads of Contact us', [forms, { text: 'Contact us' }], 'Leads of Contact us · Lead ingest'],
  ])('of %s omits repeated and common parts', (title, above, whole) => {
    expect(tabTitle(title, above)).toBe(whole);
  });
});

test.each([
  ['/leads', 'table'],
  ['/forms', 'table'],
  ['/tokens', 'table'],
  ['/destinations', 'table'],
  ['/alerts', 'table'],
  ['/diagnostics', 'table'],
  ['/', 'default'],
  ['/forms/form_1', 'default'],
  ['/destinations/dest_1', 'default'],
  ['/alerts/settings', 'default'],
  ['/forms/form_1/delivery', 'default'],
  ['/forms/form_1/leads/lead_1', 'default'],
])('%s is laid out as %s', (path, type) => {
  expect(contentType(path)).toBe(type);
});

test.each([
  ['/', '/'],
  ['/tokens', '/tokens'],
  ['/diagnostics', '/diagnostics'],
  ['/forms/form_1/delivery', '/forms'],
  ['/forms/form_1/leads/lead_1', '/leads'],
  ['/alerts/settings', '/alerts'],
  ['/senders', '/leads'],
  ['/senders/learned', '/leads'],
])('%s is marked in the menu as %s', (path, item) => {
  expect(activeItem(path)).toBe(item);
});

test.each([
  ['the form', 'Form not found', '/forms'],
  ['the lead', 'Lead not found', '/leads'],
  ['the destination', 'Destination not found', '/destinations'],
  ['the alert', 'Alert not found', '/alerts'],
  ['the delivery settings', 'Couldn’t find the delivery settings', '/forms'],
])('if %s is missing, it is named with a link', (what, header, href) => {
  expect(notFoundText(what)).toMatchObject({ header, list: { href } });
});

describe('an API problem', () => {
  const HTML = '<html><h1>502 Bad Gateway</h1></html>';

  /** The message for a response that does not come from the settings API. */
  async function saidOf(status: number, body: string): Promise<string> {
    const real = globalThis.fetch;
    globalThis.fetch = async () => new Response(body, { status });
    const { session } = openBrowserTabs(() => ({ status: 200, body: issueTokens('user-1') })).openTab();
    await session.resume();
    const client = makeClient({ session, userId: 'user-1' });
    try {
      return await client.get('/settings/forms').then(String, inWords);
    } finally {
      globalThis.fetch = real;
    }
  }

  test.each([
    [429, '{"message":"Too Many Requests"}', 'Too many requests. Wait a moment and try again.'],
    [403, HTML, 'Not allowed. Sign out, sign in and try again.'],
    [500, 'null', 'Service error. Something went wrong on our side. Try again in a moment (500).'],
    [502, HTML, 'Service error. Something went wrong on our side. Try again in a moment (502).'],
    [413, '"too large"', 'The request failed (413). Reload the page and try again.'],
  ])('%d with %p gets a plain message', async (status, body, words) => {
    expect(await saidOf(status, body)).toBe(words);
  });

  describe('a refused token', () => {
    const FORBIDDEN = '{"message":"Forbidden"}';

    /** The API responds to each request with the next status. */
    async function askWith(...statuses: number[]) {
      const real = globalThis.fetch;
      const sent: string[] = [];
      globalThis.fetch = async (_, init) => {
        sent.push(new Headers(init?.headers).get('authorization') ?? '');
        const status = statuses[sent.length - 1] ?? 500;
        return new Response(status === 200 ? '{}' : FORBIDDEN, { status });
      };
      const browser = openBrowserTabs((method) =>
        method === 'DELETE' ? { status: 204 } : { status: 200, body: issueTokens('user-1') },
      );
      const { session } = browser.openTab();
      await session.resume();
      const client = makeClient({ session, userId: 'user-1' });
      try {
        const said = await client.get('/settings/forms').then(() => 'ok', inWords);
        return { said, sent, state: session.state() };
      } finally {
        globalThis.fetch = real;
      }
    }

    test('is renewed, and the request is sent again', async () => {
      const { said, sent, state } = await askWith(401, 200);
      expect(said).toBe('ok');
      expect(new Set(sent).size).toBe(2);
      expect(state.step).toBe('signed-in');
    });

    test('twice means that the owner has no access any more', async () => {
      const { state } = await askWith(401, 401);
      expect(state).toEqual({ step: 'signed-out', why: 'refused' });
    });
  });

  test('of a role leaves the session as it is', async () => {
    const body =
      '{"type":"urn:lead-ingest:problem:forbidden","title":"Not allowed","detail":"Only an owner can."}';
    expect(await saidOf(403, body)).toBe('Only an owner can.');
  });

  test.each([
    [{ title: 'The form is archived', detail: 'It takes no test.' }, 'It takes no test.'],
    [{ title: 'Not found' }, 'Not found.'],
    [{ title: 'Internal error', requestId: 'r-1' }, 'Internal error. Request ID: r-1.'],
    [{ title: 'Invalid', errors: [{ field: 'name', problem: 'is too long' }] }, 'name is too long'],
  ])('keeps the message of the settings API: %p', (body, words) => {
    expect(inWords(new ApiProblem(429, body))).toBe(words);
  });
});

const FRESH = {
  data: {},
  dataUpdatedAt: 2_000,
  status: 'success',
  fetchStatus: 'idle',
  error: null,
} as const;
const FAILED = { ...FRESH, status: 'error', error: ApiProblem.unreachable() } as const;
const NOTHING = { ...FAILED, data: undefined, dataUpdatedAt: 0 } as const;
const LOADING = {
  ...FRESH,
  data: undefined,
  dataUpdatedAt: 0,
  status: 'pending',
  fetchStatus: 'fetching',
} as const;

describe('the state of a page', () => {
  test.each([
    ['a read that succeeded', FRESH, false, false],
    ['a read that is loading', LOADING, false, false],
    ['a refresh that failed', FAILED, true, true],
    ['a failed refresh that is being retried', { ...FAILED, fetchStatus: 'fetching' } as const, true, true],
    ['a first read that failed', NOTHING, true, false],
    ['a refresh while offline', { ...FRESH, fetchStatus: 'paused' } as const, true, true],
    ['a first read while offline', { ...LOADING, fetchStatus: 'paused' } as const, true, false],
    ['something deleted', { ...FAILED, error: new ApiProblem(404, {}) }, false, false],
  ])('%s', (_, state, failed, stale) => {
    expect([hasFailed(state), isStale(state)]).toEqual([failed, stale]);
  });

  test('is as old as its oldest stale data', () => {
    const older = { ...FAILED, dataUpdatedAt: 1_000 };
    const oldButFresh = { ...FRESH, dataUpdatedAt: 500 };
    expect(staleSince([FAILED, older, oldButFresh, NOTHING, LOADING])).toBe(1_000);
  });

  test('has no time if nothing that failed has data', () => {
    expect(staleSince([FRESH, NOTHING])).toBe(0);
  });

  test('is fresh if nothing failed', () => {
    expect(staleSince([])).toBeUndefined();
    expect(staleSince([FRESH, LOADING])).toBeUndefined();
  });
});
