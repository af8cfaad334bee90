import type { AttributeValue } from './attribute-value.ts';
import { invalid } from './service-error.ts';

export interface ExpressionInput {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
}

/** What stands for `#names` and `:values` in one request. */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>>;
  readonly #values: Readonly<Record<string, AttributeValue>>;

  constructor({ ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: ExpressionInput) {
    this.#names = ExpressionAttributeNames;
    this.#values = ExpressionAttributeValues;
  }

  name(token: string): string {
    return token.startsWith('#') ? (this.#names[token] as string) : token;
  }

  value(token: string): AttributeValue {
    return this.#values[token] as AttributeValue;
  }

  /** DynamoDB refuses what is used and not given, and what is given and not used. */
  requireUse(used: readonly string[]): void {
    const given = [...Object.keys(this.#names), ...Object.keys(this.#values)];
    const missing = used.find((token) => !given.includes(token));
    if (missing) throw invalid(`${missing} is not defined`);
    const idle = given.find((token) => !used.includes(token));
    if (idle) throw invalid(`${idle} is not used`);
  }
}
