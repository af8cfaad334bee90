import { invalid } from './request-members.ts';

const TOKEN = /\s*(?:([A-Za-z_][A-Za-z0-9_]*|[#:][A-Za-z0-9_]+)|(<>|<=|>=|[=<>(),+-])|(\S))/y;

/** Walks over the words and signs of an expression. Document paths are not among them: no store uses one. */
export class Tokens {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(expression: string) {
    TOKEN.lastIndex = 0;
    const text = expression.trimEnd();
    while (TOKEN.lastIndex < text.length) {
      const match = TOKEN.exec(text);
      const token = match?.[1] ?? match?.[2];
      if (token === undefined) throw invalid(`Syntax error in "${expression}"`);
      this.#tokens.push(token);
    }
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw invalid('The expression ends too early');
    this.#at += 1;
    return token;
  }

  /** Takes the next token if it is this word or sign; words in any case. */
  take(wanted: string): boolean {
    if (this.peek()?.toUpperCase() !== wanted.toUpperCase()) return false;
    this.#at += 1;
    return true;
  }

  expect(wanted: string): void {
    if (!this.take(wanted)) throw invalid(`Expected ${wanted} before ${this.peek() ?? 'the end'}`);
  }

  requireEnd(): void {
    if (this.peek() !== undefined) throw invalid(`Unexpected ${this.peek()}`);
  }

  /** All `#names` and `:values`, whether or not an evaluation comes across them. */
  placeholders(): string[] {
    return this.#tokens.filter((token) => token.startsWith('#') || token.startsWith(':'));
  }
}
