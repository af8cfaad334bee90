import type { HttpAnswer } from '../world/http.ts';

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

/** Anything that looks like a token, a secret, a signature, a session or an email address. */
const SECRETS = [
  /ingt_[a-z]+_\w+/g,
  /whsec_\w+/g,
  /\b[0-9a-f]{64}\b/gi,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
];

/** A wrong deployment may echo what it was sent. None of that goes to the terminal or into the report. */
export function hideSecrets(text: string): string {
  return SECRETS.reduce((hidden, secret) => hidden.replace(secret, '…'), text);
}
