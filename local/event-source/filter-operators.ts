/** Whether a value of a record is one that a pattern asks for; undefined stands for a key that is not there. */
export type Matches = (value: unknown) => boolean;

/** The test that an operator such as `{"prefix": "ab"}` makes. Throws for one that Lambda's filters do not have. */
export function compileOperator(rule: Readonly<Record<string, unknown>>, where: string): Matches {
  const [[name, argument] = [], second] = Object.entries(rule);
  if (name === undefined || second !== undefined)
    throw new Error(`${where} has a rule that is not one operator`);
  const compile = OPERATORS[name];
  if (compile === undefined) throw new Error(`${where} uses the operator ${name}, which is not served here`);
  const matches = compile(argument);
  if (matches === undefined) throw new Error(`${where} gives the operator ${name} what it cannot take`);
  return matches;
}

/** Undefined: the argument is none for this operator. */
type CompileOperator = (argument: unknown) => Matches | undefined;

const OPERATORS: Readonly<Record<string, CompileOperator>> = {
  exists: (wanted) => (typeof wanted === 'boolean' ? (value) => (value !== undefined) === wanted : undefined),
  prefix: textOperator((value, start) => value.startsWith(start)),
  suffix: textOperator((value, end) => value.endsWith(end)),
  'equals-ignore-case': textOperator((value, other) => value.toLowerCase() === other.toLowerCase()),
  'anything-but': (excluded) => {
    const values = Array.isArray(excluded) ? excluded : [excluded];
    if (values.length === 0 || values.some((value) => !['string', 'number'].includes(typeof value)))
      return undefined;
    return (value) => value !== undefined && !values.includes(value);
  },
  numeric: (comparisons) => (Array.isArray(comparisons) ? compileNumeric(comparisons) : undefined),
};

function textOperator(compare: (value: string, operand: string) => boolean): CompileOperator {
  return (operand) =>
    typeof operand === 'string' ? (value) => typeof value === 'string' && compare(value, operand) : undefined;
}

const COMPARISONS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/**
 * `[">", 0, "<=", 5]`: all of them. Of numbers only: DynamoDB's come as text (`{"N":"5"}`), which on Lambda no such
 * operator matches either.
 */
function compileNumeric(comparisons: readonly unknown[]): Matches | undefined {
  if (comparisons.length !== 2 && comparisons.length !== 4) return undefined;
  const tests: ((value: number) => boolean)[] = [];
  for (let index = 0; index < comparisons.length; index += 2) {
    const compare = COMPARISONS[String(comparisons[index])];
    const bound = comparisons[index + 1];
    if (compare === undefined || typeof bound !== 'number') return undefined;
    tests.push((value) => compare(value, bound));
  }
  return (value) => typeof value === 'number' && tests.every((test) => test(value));
}
