import { beforeEach, describe, expect, test } from '@jest/globals';
import { type RouteResponse, SessionOver, SessionUnreachable } from '../../console/src/session/session.ts';
import { issueTokens, openBrowserTabs } from './signed-in.ts';

/** What the session route returns next. */
let response: (method: string) => RouteResponse | Promise<RouteResponse>;
const signedIn = (userId?: string) => ({ status: 200, body: issueTokens(userId) });
const nobody = { status: 401 };

beforeEach(() => {
  response = (method) => (method === 'DELETE' ? { status: 204 } : signedIn());
});
const openBrowser = () => openBrowserTabs((method) => response(method));
const settle = () => new Promise((resolve) => setTimeout(resolve));

async function openSignedIn() {
  const browser = openBrowser();
  const tab = browser.openTab();
  await tab.session.resume();
  return { browser, ...tab };
}

describe('a new tab', () => {
  test.each([503, 500, 403, 0])('does not know after a %i, and can ask again', async (status) => {
    response = () => (status === 0 ? Promise.reject(new TypeError()) : { status });
    const { session } = await openSignedIn();
    expect(session.state()).toEqual({ step: 'unreachable' });
    response = () => signedIn();
    await session.resume();
    expect(session.state().step).toBe('signed-in');
  });
});

describe('tokens', () => {
  test('are reused until a minute before they expire, then renewed once for all', async () => {
    const { browser, session, asked } = await openSignedIn();
    const first = await session.tokens('user-1');
    browser.passSeconds(3_539);
    expect(await session.tokens('user-1')).toBe(first);
    browser.passSeconds(1);
    const [one, other] = await Promise.all([session.tokens('user-1'), session.tokens('user-1')]);
    expect(one).toBe(other);
    expect(one.idToken).not.toBe(first.idToken);
    expect(asked).toEqual(['POST', 'POST']);
  });

  test('are replaced once the API has refused one', async () => {
    const { session } = await openSignedIn();
    const first = await session.tokens('user-1');
    session.discard(first.idToken);
    const second = await session.tokens('user-1');
    expect(second.idToken).not.toBe(first.idToken);
    // A late refusal of the first says nothing about the second.
    session.discard(first.idToken);
    expect(await session.tokens('user-1')).toBe(second);
  });

  test('cannot be renewed while the service is unreachable, and the session goes on', async () => {
    const { browser, session } = await openSignedIn();
    browser.passSeconds(3_600);
    response = () => ({ status: 503 });
    await expect(session.tokens('user-1')).rejects.toThrow(SessionUnreachable);
    expect(session.state().step).toBe('signed-in');
  });

  test('of one user are never given to the page of another', async () => {
    const { browser, session } = await openSignedIn();
    browser.passSeconds(3_600);
    response = () => signedIn('user-2');
    await expect(session.tokens('user-1')).rejects.toThrow(SessionOver);
    expect(session.state()).toMatchObject({ step: 'signed-in', user: { id: 'user-2' } });
  });
});

describe('an expired session', () => {
  async function expire() {
    const opened = await openSignedIn();
    opened.browser.passSeconds(3_600);
    response = () => nobody;
    const waiting = opened.session.tokens('user-1');
    await settle();
    expect(opened.session.state()).toMatchObject({ step: 'expired', user: { id: 'user-1' } });
    return { ...opened, waiting };
  }

  test('goes on when the owner signs in in another tab', async () => {
    const { browser, waiting } = await expire();
    response = () => signedIn();
    await browser.openTab().session.begin('refresh-token');
    expect((await waiting).user.id).toBe('user-1');
  });

  test('ends for what waits when the owner signs out', async () => {
    const { session, waiting } = await expire();
    response = () => ({ status: 204 });
    await session.end();
    await expect(waiting).rejects.toThrow(SessionOver);
  });

  test('ends for what waits when somebody else signs in', async () => {
    const { session, waiting } = await expire();
    response = () => signedIn('user-2');
    await session.begin('refresh-token');
    await expect(waiting).rejects.toThrow(SessionOver);
  });
});

describe('signing in', () => {
  test('fails if the route does not take the token', async () => {
    response = () => nobody;
    const { session } = await openSignedIn();
    await expect(session.begin('refresh-token')).rejects.toThrow(SessionUnreachable);
    expect(session.state().step).toBe('signed-out');
  });
});

describe('signing out', () => {
  test('is not undone by a renewal that was under way', async () => {
    const { browser, session } = await openSignedIn();
    browser.passSeconds(3_600);
    const renewal = Promise.withResolvers<RouteResponse>();
    response = (method) => (method === 'POST' ? renewal.promise : { status: 204 });
    const waiting = session.tokens('user-1').catch((error: unknown) => error);
    await session.end();
    renewal.resolve(signedIn());
    expect(await waiting).toBeInstanceOf(SessionOver);
    expect(session.state()).toEqual({ step: 'signed-out' });
  });
});
