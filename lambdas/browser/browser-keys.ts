import { createHash } from 'node:crypto';
import type { SigningKey } from './browser-token.ts';

/**
 * What the secret contains, as JSON. A key is known for a whole rotation before it signs and for another one after, so
 * that functions may keep the secret in memory for a while:
 *
 *     next (verifies) ──> current (signs, verifies) ──> previous (verifies) ──> gone
 */
interface KeyTexts {
  readonly current: string;
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
}

const MIN_CHARACTERS = 32;

/** The first one signs. Throws if the text is not valid, without quoting it. */
export function parseKeys(text: string): SigningKey[] {
  const { current, next, previous } = parseTexts(text);
  return [current, next, previous].filter((each) => each !== undefined).map(toKey);
}

/** The text after a rotation. The first rotation of a new secret only adds a key, since functions have not read it yet. */
export function rotateKeys(text: string, random: string): string {
  const { current, next } = parseTexts(text);
  const rotated: KeyTexts =
    next === undefined ? { current, next: random } : { current: next, next: random, previous: current };
  return JSON.stringify(rotated);
}

function toKey(text: string): SigningKey {
  const secret = Buffer.from(text, 'utf8');
  // The key's ID comes from its content, so no counter is needed.
  return {
    keyId: createHash('sha256').update('key id ').update(secret).digest('base64url').slice(0, 8),
    secret,
  };
}

function parseTexts(text: string): KeyTexts {
  const { current, next, previous } = parseObject(text);
  const isKey = (value: unknown) => typeof value === 'string' && value.length >= MIN_CHARACTERS;
  const others = [next, previous].filter((each) => each !== undefined);
  if (![current, ...others].every(isKey)) throw new Error('The secret has no keys of the service');
  return { current, next, previous } as KeyTexts;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // The parser's own message quotes the text.
    return {};
  }
}
