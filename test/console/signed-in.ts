import {
  type AskRoute,
  openSession,
  type RouteResponse,
  type Session,
  type TabMessage,
} from '../../console/src/session/session.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

let issued = 0;

/** Tokens as the session route returns them, valid for an hour. */
export function issueTokens(userId = 'user-1', email = 'ada@example.com') {
  issued += 1;
  const claims = { sub: userId, email, iat: 1_000_000 + issued, exp: 1_003_600 + issued };
  return { idToken: `${part({})}.${part(claims)}.x` };
}

interface Tab {
  readonly session: Session;
  /** What the session route was asked, by method. */
  readonly asked: string[];
}

/** Tabs of one browser, whose session route responds as given. */
export function openBrowserTabs(response: (method: string) => RouteResponse | Promise<RouteResponse>) {
  const listeners: { readonly of: object; readonly hear: (message: TabMessage) => void }[] = [];
  let now = 0;
  return {
    passSeconds(seconds: number) {
      now += seconds * 1_000;
    },
    openTab(): Tab {
      const asked: string[] = [];
      const self = {};
      const ask: AskRoute = async (method) => {
        asked.push(method);
        return response(method);
      };
      const tabs = {
        tell: (message: TabMessage) => {
          for (const { of, hear } of listeners) if (of !== self) hear(message);
        },
        listen: (hear: (message: TabMessage) => void) => void listeners.push({ of: self, hear }),
      };
      return { session: openSession({ ask, tabs, now: () => now }), asked };
    },
  };
}
