export interface User {
  /** Cognito's id, which never changes. */
  readonly id: string;
  readonly email: string;
}

export interface Tokens {
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
export function readTokens(body: unknown, nowMilliseconds: number): Tokens {
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
