import type { Input } from './dynamodb-double.ts';
import { Unsupported } from './unsupported.ts';

/** An option that is overlooked would be a difference that nobody sees. */
export function requireMembers(input: Input, known: readonly string[]): void {
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown) throw new Unsupported(`the member ${unknown}`);
}

export const EXPRESSION_MEMBERS = ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;
