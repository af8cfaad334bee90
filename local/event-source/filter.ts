import { StartupError } from '../lifecycle.ts';

/** The patterns of an event source mapping, as in the template. */
export interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/** Whether a value matches a pattern. `undefined` stands for a missing key. */
export type Matches = (value: unknown) => boolean;

/**
 * Decides whether a record reaches the function: when one of the patterns matches it, or when there are no patterns.
 * Supports the part of Lambda's patterns that the stack uses (values and `exists`) and rejects the rest.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function compileFilter(criteria: FilterCriteria | undefined, mapping: string): Matches {
  const patterns = (criteria?.Filters ?? []).map(({ Pattern }) => {
    try {
      return compilePattern(JSON.parse(Pattern ?? ''), []);
    } catch (error) {
      throw new StartupError(`The filter of ${mapping} is not supported: ${(error as Error).message}.`);
    }
  });
  return patterns.length === 0 ? () => true : (record) => patterns.some((matches) => matches(record));
}

/** All keys of an object must match; one value of a list must. */
function compilePattern(pattern: unknown, path: readonly string[]): Matches {
  if (Array.isArray(pattern)) return compileLeaf(pattern, where(path));
  if (!isObject(pattern)) throw new Error(`${where(path)} must be an object or a list`);
  const parts = Object.entries(pattern).map(([key, inner]): Matches => {
    if (key.startsWith('$')) throw new Error(`${where(path)} uses ${key}`);
    const matches = compilePattern(inner, [...path, key]);
    return (value) => matches(isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);
  });
  if (parts.length === 0) throw new Error(`${where(path)} is empty`);
  const matchesObject: Matches = (value) => parts.every((matches) => matches(value));
  return (value) => (Array.isArray(value) ? value.some(matchesObject) : matchesObject(value));
}

function compileLeaf(choices: readonly unknown[], path: string): Matches {
  if (choices.length === 0) throw new Error(`${path} is an empty list`);
  const tests = choices.map((choice): Matches => {
    if (Array.isArray(choice)) throw new Error(`${path} contains a nested list`);
    return isObject(choice) ? compileExists(choice, path) : (value) => value === choice;
  });
  const matchesLeaf: Matches = (value) => tests.some((matches) => matches(value));
  return (value) =>
    Array.isArray(value) && value.length > 0 ? value.some(matchesLeaf) : matchesLeaf(leafOf(value));
}

function compileExists(rule: Readonly<Record<string, unknown>>, path: string): Matches {
  const { exists: wanted, ...others } = rule;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`${path} uses the operator ${other}`);
  if (typeof wanted !== 'boolean') throw new Error(`${path} needs "exists": true or false`);
  return (value) => (value !== undefined) === wanted;
}

/** Patterns apply to leaves only: an object counts as a missing value. */
function leafOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? undefined : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function where(path: readonly string[]): string {
  return path.length === 0 ? 'the pattern' : path.join('.');
}
