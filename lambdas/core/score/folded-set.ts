import { stripAccents } from './fold-text.ts';

/** Words or names as folded text. Made at first use: folding some hundred words at import would cost every cold start. */
export class FoldedSet {
  readonly #written: string;
  readonly #separator: string | RegExp;
  #members: Set<string> | undefined;

  constructor(written: string, separator: string | RegExp = /\s+/) {
    this.#written = written;
    this.#separator = separator;
  }

  has(folded: string): boolean {
    this.#members ??= new Set(stripAccents(this.#written).trim().split(this.#separator));
    return this.#members.has(folded);
  }
}
