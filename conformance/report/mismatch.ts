import type { HttpAnswer } from '../world/http.ts';
import { hideSecrets } from './hide-secrets.ts';

/** The answer is not what the specification says. The report shows both. */
export class Mismatch extends Error {
  readonly #expected: string;
  readonly #got: string;

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.name = 'Mismatch';
    this.#expected = expected;
    this.#got = got;
  }

  /** Names the example of the row that failed. */
  about(example: string): Mismatch {
    return new Mismatch(`${this.#expected} for ${example}`, this.#got);
  }
}

/** This run cannot find out whether the rule holds, and says why. */
export class CannotBeTried extends Error {}

const MOST_SHOWN = 160;

/** An answer in one line: its status and the beginning of its body. */
export function describeAnswer({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): string {
  return `${status} ${body === '' ? '(no body)' : shorten(body)}`;
}

/** Hides secrets before it cuts: half a secret would not be recognised. */
export function shorten(text: string): string {
  const hidden = hideSecrets(text);
  return hidden.length > MOST_SHOWN ? `${hidden.slice(0, MOST_SHOWN)}…` : hidden;
}
