import { CognitoError } from './cognito.ts';

export type SessionState =
  | { readonly step: 'starting' | 'unreachable' }
  | { readonly step: 'signed-out'; readonly why?: SignOutReason | undefined }
  | { readonly step: 'signed-in'; readonly user: User }
  /** The page stays as it is until the owner signs in again. */
  | { readonly step: 'expired'; readonly user: User };

/** `refused`: the API no longer accepts this owner. `unfinished`: the service did not hear of the sign-out. */
export type SignOutReason = 'refused' | 'unfinished';

/** The session belongs to nobody now, or to somebody else. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';
}

/** The session route did not respond, which says nothing about the session. */
export class SessionUnreachable extends Error {
  override readonly name = 'NetworkError';
}

/** A response of the session route. Its body holds a token if the status is 200, and a reason if it is a problem. */
export interface RouteResponse {
  readonly status: number;
  readonly body?: unknown;
}

/** Asks the session route. Rejects if there is no response. */
export type AskRoute = (
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
  body?: object,
) => Promise<RouteResponse>;

/** The current password, or a code that was emailed. */
export type PasswordChange = { readonly newPassword: string } & (
  | { readonly currentPassword: string }
  | { readonly email: string; readonly code: string }
);

/** What tabs of the same browser tell each other. */
export type TabMessage = 'begun' | 'ended';

export interface Tabs {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}

interface SessionSettings {
  readonly ask: AskRoute;
  readonly tabs: Tabs;
  readonly now: () => number;
}

/** The owner's session. A cookie that scripts can't read outlives the page; its tokens are only in memory. */
export interface Session {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Asks whether the browser has a session. */
  resume(): Promise<void>;
  /** Begins a session after signing in. The refresh token is not kept here. */
  begin(refreshToken: string): Promise<void>;
  /** This user's valid tokens. If the session has expired, waits until the owner has signed in again. */
  tokens(userId: string): Promise<Tokens>;
  /** The API did not accept this token, so the next call gets a new one. */
  discard(idToken: string): void;
  end(why?: SignOutReason): Promise<void>;
  /** Sets a new password, which ends every session, also this one. Throws an error with the name of Cognito's. */
  setPassword(change: PasswordChange): Promise<void>;
  /** The page stays as it is until the owner signs in again. */
  expire(): void;
  hasSecondFactor(): Promise<boolean>;
}

export function openSession({ ask, tabs, now }: SessionSettings): Session {
  const listeners = new Set<() => void>();
  let state: SessionState = { step: 'starting' };
  let held: Tokens | undefined;
  let renewing: Promise<void> | undefined;
  let ending: Promise<void> | undefined;
  /** Settled when an expired session goes on or ends. */
  let signedInAgain = Promise.withResolvers<void>();
  /** Responses to requests from before the last sign-out are ignored. */
  let signOuts = 0;

  function change(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function takeTokens(body: unknown): void {
    held = readTokens(body, now());
    change({ step: 'signed-in', user: held.user });
    signedInAgain.resolve();
    signedInAgain = Promise.withResolvers();
  }

  function forget(why?: SignOutReason): void {
    signOuts += 1;
    held = undefined;
    change({ step: 'signed-out', why });
    signedInAgain.resolve();
    signedInAgain = Promise.withResolvers();
  }

  async function askAndTake(): Promise<void> {
    const before = signOuts;
    const { status, body } = await ask('POST').catch(() => ({ status: 0, body: undefined }));
    if (before !== signOuts) return;
    if (status === 200) return takeTokens(body);
    if (status !== 401) throw new SessionUnreachable();
    expire();
  }

  async function askToEnd(): Promise<void> {
    const { status } = await ask('DELETE').catch(() => ({ status: 0 }));
    if (status !== 204 && state.step === 'signed-out') change({ step: 'signed-out', why: 'unfinished' });
  }

  /** One request at a time, however many wait for it. */
  function renew(): Promise<void> {
    renewing ??= askAndTake().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  function expire(): void {
    held = undefined;
    change('user' in state ? { step: 'expired', user: state.user } : { step: 'signed-out' });
  }

  tabs.listen((message) => {
    if (message === 'ended') forget();
    // Also for another owner: there is one cookie for all tabs.
    if (message === 'begun') void renew().catch(() => undefined);
  });

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async resume() {
      if (state.step === 'unreachable') change({ step: 'starting' });
      await renew().catch(() => change({ step: 'unreachable' }));
    },
    async begin(refreshToken) {
      // It would clear the new cookie.
      await ending;
      const { status, body } = await ask('PUT', { refreshToken }).catch(() => ({
        status: 0,
        body: undefined,
      }));
      if (status !== 200) throw new SessionUnreachable();
      takeTokens(body);
      tabs.tell('begun');
    },
    async tokens(userId) {
      for (;;) {
        if (!('user' in state) || state.user.id !== userId) throw new SessionOver();
        if (held && now() < held.renewAtMilliseconds) return held;
        if (state.step === 'expired') await signedInAgain.promise;
        else await renew();
      }
    },
    discard(idToken) {
      if (held?.idToken === idToken) held = undefined;
    },
    end(why) {
      forget(why);
      tabs.tell('ended');
      ending = askToEnd();
      return ending;
    },
    async setPassword(wanted) {
      const { status, body } = await ask('PATCH', wanted).catch(() => ({ status: 0, body: undefined }));
      if (status === 204) return;
      if (status === 401) expire();
      const { reason } = (body ?? {}) as { readonly reason?: string };
      throw new CognitoError(reason ?? 'NetworkError');
    },
    expire,
    async hasSecondFactor() {
      const { status, body } = await ask('GET').catch(() => ({ status: 0, body: undefined }));
      if (status === 401) expire();
      if (status !== 200) throw new SessionUnreachable();
      return (body as { readonly secondFactor: boolean }).secondFactor;
    },
  };
}

export interface User {
  /** Cognito's id, which never changes. */
  readonly id: string;
  readonly email: string;
}

interface Tokens {
  readonly idToken: string;
  readonly user: User;
  readonly renewAtMilliseconds: number;
}

const MARGIN_SECONDS = 60;

interface Claims {
  readonly sub: string;
  readonly email: string;
  readonly iat: number;
  readonly exp: number;
}

/** By lifetime, because the clock of this computer may be wrong. */
function readTokens(body: unknown, nowMilliseconds: number): Tokens {
  const { idToken } = body as { readonly idToken: string };
  const { sub, email, iat, exp } = claimsOf(idToken);
  return {
    idToken,
    user: { id: sub, email },
    renewAtMilliseconds: nowMilliseconds + (exp - iat - MARGIN_SECONDS) * 1_000,
  };
}

/** The signature isn't checked here: the API does that. */
function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.');
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
