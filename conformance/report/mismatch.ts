import type { HttpAnswer } from '../world/http.ts';
import { hideSecrets } from './hide-secrets.ts';

/** What came is not what the specification says. Both sides are shown to the operator. */
export class Mismatch extends Error {
  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.name = 'Mismatch';
  }
}

/** The rule may hold or not: this run cannot find out, and says why. */
export class CannotBeTried extends Error {}

const MOST_SHOWN = 160;

/** An answer in one line: all of its status, and the beginning of its body. */
export function describeAnswer({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): string {
  return `${status} ${body === '' ? '(no body)' : shorten(body)}`;
}

/** Secrets are hidden first: half of one would not be known for what it is. */
export function shorten(text: string): string {
  const hidden = hideSecrets(text);
  return hidden.length > MOST_SHOWN ? `${hidden.slice(0, MOST_SHOWN)}…` : hidden;
}
