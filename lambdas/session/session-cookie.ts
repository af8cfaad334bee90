import { SESSION_COOKIE } from '../contract.ts';

/** As long as Cognito's refresh token is valid. */
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

/** Browsers drop larger cookies. Cognito's refresh tokens have about 1,800 characters. */
const MAX_TOKEN_LENGTH = 3_900;

/** Three to five parts in base64url: Cognito's are encrypted (JWE), those of a local user pool signed (JWS). */
const TOKEN = /^[\w-]+(?:\.[\w-]*){2,4}$/;

/** Whether Cognito could have issued this. Everything else is rejected without asking, and cannot break the cookie. */
export function isRefreshToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TOKEN_LENGTH && TOKEN.test(value);
}

/** The refresh token among the cookies of a request. */
export function readSessionCookie(cookies: readonly string[] = []): string | undefined {
  const prefix = `${SESSION_COOKIE}=`;
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return isRefreshToken(value) ? value : undefined;
}

export function sessionCookie(refreshToken: string): string {
  return withAttributes(refreshToken, MAX_AGE_SECONDS);
}

export function clearedCookie(): string {
  return withAttributes('', 0);
}

/** The name's prefix makes browsers insist on Secure, Path=/ and no domain, so that no other host can set the cookie. */
function withAttributes(value: string, maxAgeSeconds: number): string {
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Strict`;
}
