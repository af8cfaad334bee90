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
  test('is signed in if the browser has a session', async () => {
    const { session } = await openSignedIn();
    expect(session.state()).toEqual({
      step: 'signed-in',
      user: { id: 'user-1', email: 'ada@example.com' },
    });
  });

  test('asks to sign in if it has none', async () => {
    response = () => nobody;
    const { session } = await openSignedIn();
    expect(session.state()).toEqual({ step: 'signed-out' });
  });

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

  test('lets requests wait until the owner has signed in again', async () => {
    const { session, waiting } = await expire();
    response = () => signedIn();
    await session.begin('refresh-token');
    expect((await waiting).user.id).toBe('user-1');
  });

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
  test('stores the refresh token and tells the other tabs', async () => {
    response = () => nobody;
    const { browser, session, asked } = await openSignedIn();
    const other = browser.openTab();
    await other.session.resume();
    response = () => signedIn();
    await session.begin('refresh-token');
    await settle();
    expect(asked).toEqual(['POST', 'PUT']);
    expect(other.session.state().step).toBe('signed-in');
  });

  test('fails if the route does not take the token', async () => {
    response = () => nobody;
    const { session } = await openSignedIn();
    await expect(session.begin('refresh-token')).rejects.toThrow(SessionUnreachable);
    expect(session.state().step).toBe('signed-out');
  });
});

describe('signing out', () => {
  test('ends the session everywhere', async () => {
    const { browser, session, asked } = await openSignedIn();
    const other = browser.openTab();
    await other.session.resume();
    await session.end();
    expect(asked).toEqual(['POST', 'DELETE']);
    expect(other.asked).toEqual(['POST']);
    for (const each of [session, other.session]) {
      expect(each.state()).toEqual({ step: 'signed-out' });
      await expect(each.tokens('user-1')).rejects.toThrow(SessionOver);
    }
  });

  test('says if the service did not hear of it', async () => {
    const { session } = await openSignedIn();
    response = () => Promise.reject(new TypeError());
    await session.end();
    expect(session.state()).toEqual({ step: 'signed-out', why: 'unfinished' });
    response = () => ({ status: 204 });
    await session.end();
    expect(session.state()).toEqual({ step: 'signed-out' });
  });

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

describe('a new password', () => {
  /** Responds to one method in this way, and all others as usual. */
  async function openWith(method: string, given: RouteResponse) {
    response = (asked) => (asked === method ? given : signedIn());
    return (await openSignedIn()).session;
  }
  const change = { currentPassword: 'old', newPassword: 'new' };

  test('leaves the page as it is, which then begins a new session', async () => {
    const session = await openWith('PATCH', { status: 204 });
    await session.setPassword(change);
    expect(session.state().step).toBe('signed-in');
    await session.begin('the new refresh token');
    expect(session.state().step).toBe('signed-in');
  });

  test('that is refused has the name of the reason', async () => {
    const refused = { status: 400, body: { reason: 'InvalidPasswordException' } };
    const session = await openWith('PATCH', refused);
    await expect(session.setPassword(change)).rejects.toMatchObject({ name: 'InvalidPasswordException' });
    expect(session.state().step).toBe('signed-in');
  });

  test('in a session that has ended asks to sign in again', async () => {
    const session = await openWith('PATCH', { status: 401 });
    await expect(session.setPassword(change)).rejects.toThrow();
    expect(session.state().step).toBe('expired');
  });

  test('after which nobody could sign in keeps the page until the owner does', async () => {
    const session = await openWith('PATCH', { status: 204 });
    await session.setPassword(change);
    session.expire();
    expect(session.state().step).toBe('expired');
    const waiting = session.tokens('user-1');
    await session.begin('the new refresh token');
    expect((await waiting).user.id).toBe('user-1');
  });

  test('and the second factor are asked for without an access token', async () => {
    const session = await openWith('GET', { status: 200, body: { secondFactor: true } });
    expect(await session.hasSecondFactor()).toBe(true);
    expect(await session.tokens('user-1')).not.toHaveProperty('accessToken');
  });
});
