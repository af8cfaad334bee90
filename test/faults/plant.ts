import { parseSync } from 'vite';

/**
 * A plausible bug: a place in the source, and what stands there instead.
 *
 * Both are TypeScript. In `place`, `$name` stands for any expression or local name, and `$$name;` for any statements; in
 * `instead` they stand for what they matched. Places are compared as syntax trees, so that neither the layout nor the
 * name of a local variable matters. What a place spells out is what the defect is about: calls of other files,
 * attributes, texts.
 */
export interface Defect {
  readonly name: string;
  readonly file: string;
  readonly place: string;
  readonly instead: string;
  /** The scenarios that detect it. */
  readonly scenarios: readonly string[];
  /** More than usual, if it is rare. */
  readonly seeds?: number;
  /** If schedules with lower seeds do not find it. */
  readonly firstSeed?: number;
}

/** A syntax tree in the format of ESTree. */
export interface Tree {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Throws what the compiler says if the source is not TypeScript. */
export function parse(source: string, name: string): Tree {
  const { program, errors } = parseSync(name, source, { lang: 'ts', preserveParens: false });
  const [error] = errors;
  if (error) throw new Error(`${name} does not compile: ${error.codeframe ?? error.message}`);
  return program as unknown as Tree;
}

/** The source with the defect. Throws if its place isn't there, or is there more than once. */
export function plant({ name, file, place, instead }: Defect, source: string): string {
  const pattern = statementsOf(place, name);
  const found = [...placesOf(pattern, isExpression(place), { source, tree: parse(source, file) })];
  const [only] = found;
  if (only === undefined || found.length > 1) {
    const often = only ? `found ${found.length} times` : 'not found';
    throw new Error(`The place of the defect "${name}" was ${often} in ${file}:\n${place}`);
  }
  const text = instead.replace(
    PLACEHOLDER,
    (placeholder) => only.matched.get(placeholder.replace(';', '')) ?? placeholder,
  );
  const planted = `${source.slice(0, only.start)}${text}${source.slice(only.end)}`;
  parse(planted, `${file} with the defect "${name}"`);
  return planted;
}

const PLACEHOLDER = /\$\$\w+;|\$\w+/g;
const isExpression = (place: string) => !/[;}]$/.test(place);

/** In a function, since a place may return. */
function statementsOf(place: string, name: string): Tree[] {
  const wrapped = parse(`async () => {\n${place}\n}`, `The place of the defect "${name}"`);
  const [inFunction] = wrapped.body as [{ readonly expression: { readonly body: Tree } }];
  return inFunction.expression.body.body as Tree[];
}

type Matched = ReadonlyMap<string, string>;

interface Place {
  readonly start: number;
  readonly end: number;
  readonly matched: Matched;
}

function* placesOf(
  pattern: readonly Tree[],
  asExpression: boolean,
  { source, tree }: { readonly source: string; readonly tree: Tree },
): Generator<Place> {
  const none: Matched = new Map();
  for (const node of everyTree(tree)) {
    if (asExpression) {
      const matched = match(pattern[0]?.expression, node, source, none);
      if (matched) yield { start: node.start, end: node.end, matched };
      continue;
    }
    const statements = node.body;
    if (!Array.isArray(statements)) continue;
    for (const [index, { start }] of statements.entries()) {
      const found = matchFirst(pattern, statements.slice(index), source, none);
      if (found) yield { start, end: statements[index + found.length - 1].end, matched: found.matched };
    }
  }
}

/** The tree and all that are part of it. */
export function* everyTree(value: unknown): Generator<Tree> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'start' in value) yield value as Tree;
  for (const part of Object.values(value)) yield* everyTree(part);
}

/** Matches as many of the first statements as the pattern has. */
function matchFirst(
  pattern: readonly Tree[],
  statements: readonly Tree[],
  source: string,
  matched: Matched,
): { readonly length: number; readonly matched: Matched } | undefined {
  const [first, ...rest] = pattern;
  if (!first) return { length: 0, matched };
  const placeholder = nameOf(first.expression);
  if (!placeholder?.startsWith('$$')) {
    const with1 = statements[0] && match(first, statements[0], source, matched);
    const found = with1 && matchFirst(rest, statements.slice(1), source, with1);
    return found && { ...found, length: found.length + 1 };
  }
  for (let length = 0; length <= statements.length; length += 1) {
    const text = source.slice(statements[0]?.start, statements[length - 1]?.end ?? statements[0]?.start);
    const found = matchFirst(rest, statements.slice(length), source, new Map(matched).set(placeholder, text));
    if (found) return { ...found, length: found.length + length };
  }
  return undefined;
}

/** Where something is, and how it is written. A short property is compared as if it were written in full. */
const LAYOUT = new Set(['start', 'end', 'range', 'loc', 'raw', 'shorthand']);
/** A pattern without types matches any. */
const TYPES = new Set(['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType']);

/** What the placeholders stand for if the pattern matches, with those known before. */
function match(pattern: unknown, part: unknown, source: string, matched: Matched): Matched | undefined {
  const placeholder = nameOf(pattern);
  if (placeholder?.startsWith('$') && isTree(part)) {
    const text = textOf(part, source);
    const before = matched.get(placeholder);
    if (before === undefined) return new Map(matched).set(placeholder, text);
    return before === text ? matched : undefined;
  }
  if (typeof pattern !== 'object' || pattern === null) return pattern === part ? matched : undefined;
  if (typeof part !== 'object' || part === null) return undefined;
  if (Array.isArray(pattern)) {
    if (!Array.isArray(part)) return undefined;
    if (isTree(pattern[0]) && /Statement|Declaration/.test(pattern[0].type)) {
      const found = matchFirst(pattern, part, source, matched);
      return found?.length === part.length ? found.matched : undefined;
    }
    if (part.length !== pattern.length) return undefined;
  }
  let known: Matched | undefined = matched;
  for (const [key, value] of Object.entries(pattern)) {
    if (LAYOUT.has(key) || (TYPES.has(key) && value === null)) continue;
    known = match(value, (part as Record<string, unknown>)[key], source, known);
    if (!known) return undefined;
  }
  return known;
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Of a variable or a property. */
export const nameOf = (value: unknown): string | undefined =>
  isTree(value) && value.type === 'Identifier' ? String(value.name) : undefined;

/** In parentheses, which are no part of the tree, unless it can do without. */
function textOf(part: Tree, source: string): string {
  const [end, isSimple] = [
    endOf(part),
    /^(Identifier|Literal|MemberExpression|CallExpression)$/.test(part.type),
  ];
  const text = source.slice(part.start, end);
  return isSimple ? text : `(${text})`;
}

/** Without the type of a name. */
function endOf({ start, end, type, name }: Tree): number {
  return type === 'Identifier' ? start + String(name).length : end;
}

/** Whether two sources are the same program, whatever their layout. */
export function isSameProgram(one: string, other: string): boolean {
  return match(parse(one, 'one.ts'), parse(other, 'other.ts'), other, new Map()) !== undefined;
}
