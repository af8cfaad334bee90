import { describe, expect, test } from '@jest/globals';
import { makeClient } from '../../console/src/api/client.ts';
import { ApiProblem, errorMessage as inWords } from '../../console/src/api/problem.ts';
import {
  hasFailed,
  isStale,
  type NoticeType,
  noticesFor,
  staleSince,
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
    // Nothing that failed has data, and nothing failed.
    expect(staleSince([FRESH, NOTHING])).toBe(0);
    expect(staleSince([FRESH, LOADING])).toBeUndefined();
  });
});
