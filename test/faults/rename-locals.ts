import { everyTree, isTree, nameOf, parse, type Tree } from './plant.ts';

/** The same program with another name for everything that a file names only for itself: variables, functions, parameters. */
export function renameLocals(source: string, file: string, rename: (name: string) => string): string {
  const tree = parse(source, file);
  const notLocal = new Set([...everyTree(tree)].flatMap(namesForOthers));
  const locals = new Set([...everyTree(tree)].flatMap(declaredNames).filter((name) => !notLocal.has(name)));
  const edits: { readonly at: number; readonly length: number; readonly text: string }[] = [];

  function visit(part: unknown): void {
    if (Array.isArray(part)) for (const each of part) visit(each);
    if (!isTree(part)) return;
    if (part.type === 'Identifier') {
      const name = String(part.name);
      if (locals.has(name)) edits.push({ at: part.start, length: name.length, text: rename(name) });
    }
    // A short property keeps its name: { name } becomes { name: renamed }.
    if (part.shorthand === true && locals.has(nameOf(part.key) ?? '')) {
      edits.push({ at: part.start, length: 0, text: `${nameOf(part.key)}: ` });
    }
    for (const [role, each] of Object.entries(part)) if (!isPropertyName(part, role)) visit(each);
  }

  visit(tree);
  return edits
    .sort((one, other) => other.at - one.at || other.length - one.length)
    .reduce((text, { at, length, text: by }) => text.slice(0, at) + by + text.slice(at + length), source);
}

/** What stands in a role that names a property or a type, and no variable. */
function isPropertyName({ type, computed }: Tree, role: string): boolean {
  if (role === 'key' || role === 'property') return computed !== true;
  return (
    role === 'typeName' ||
    (role === 'id' && /^TS/.test(type)) ||
    (role === 'name' && type === 'TSTypeParameter')
  );
}

/** Imported or exported. */
function namesForOthers({ type, local, declaration }: Tree): string[] {
  if (/^(Import|Export)/.test(type) && local) return [nameOf(local) ?? ''];
  if (!/^Export/.test(type) || !isTree(declaration)) return [];
  if (declaration.type !== 'VariableDeclaration') return [nameOf(declaration.id) ?? ''];
  return (declaration.declarations as Tree[]).flatMap(({ id }) => boundBy(id));
}

function declaredNames({ type, id, params, param }: Tree): string[] {
  if (type === 'VariableDeclarator' || type === 'FunctionDeclaration')
    return [...boundBy(id), ...boundBy(params)];
  if (type === 'CatchClause') return boundBy(param);
  return boundBy(params);
}

/** The names in a pattern, such as `{ one, other: [renamed] }`. */
function boundBy(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(boundBy);
  if (!isTree(pattern)) return [];
  if (pattern.type === 'Identifier') return [String(pattern.name)];
  const { properties, elements, value, left, argument } = pattern;
  return [properties, elements, value, left, argument].flatMap(boundBy);
}
