import { expect, test } from '@jest/globals';
import { type Defect, plant } from './plant.ts';
import { renameLocals } from './rename-locals.ts';

const planted = (change: Partial<Defect>, source: string) =>
  plant(
    { name: 'any', file: 'any.ts', place: '$one + 1', instead: '$one', scenarios: [], ...change },
    source,
  );

test.each<[what: string, Partial<Defect>, source: string, planted: string]>([
  ['an expression, in its parentheses', {}, 'f((a + 1) * 2)', 'f((a) * 2)'],
  ['what needs parentheses elsewhere', { instead: '$one * 2' }, 'f(a - b + 1)', 'f((a - b) * 2)'],
  ['a short property', { place: '({ a: $a })', instead: '[$a]' }, 'f({ a })', 'f([a])'],
  ['a parameter with a type', { place: '($a) => 1', instead: '$a => 2' }, '(a: string) => 1', 'a => 2'],
  [
    'statements',
    { place: 'a(); $$more; b();', instead: 'b(); $$more;' },
    'a(); x(); y(); b();',
    'b(); x(); y();',
  ],
  ['no statements', { place: 'a(); $$more; b();', instead: 'b(); $$more;' }, 'a(); b();', 'b(); '],
])('a defect is planted in %s', (_, change, source, result) => {
  expect(planted(change, source)).toBe(result);
});

test.each<[what: string, Partial<Defect>, source: string, reason: string]>([
  ['no place', {}, 'a - 1;', 'The place of the defect "any" was not found in any.ts:\n$one + 1'],
  ['two places', {}, 'a + 1; b + 1;', 'was found 2 times in any.ts'],
  ['two names for one', { place: '$one + $one' }, 'a + b;', 'was not found'],
  ['more statements', { place: 'if ($a) { $b(); }' }, 'if (a) { b(); c(); }', 'was not found'],
  [
    'a place that is no code',
    { place: '$one +' },
    'a + 1;',
    'The place of the defect "any" does not compile',
  ],
])('a defect is refused with %s', (_, change, source, reason) => {
  expect(() => planted(change, source)).toThrow(reason);
});

test('everything that a file names for itself is renamed, and nothing that others use', () => {
  const source = `
    import { other } from 'other';
    export function known({ id, name: given = 1 }: Options, ...rest: string[]) { return { id, given, o: other(rest[id].id) }; }
    try { helper(); } catch (error) { throw error; }
    function helper() { const [first] = known({ id: 1 }); return typeof first; }`;
  expect(renameLocals(source, 'any.ts', (name) => `${name}2`)).toBe(`
    import { other } from 'other';
    export function known({ id: id2, name: given2 = 1 }: Options, ...rest2: string[]) { return { id: id2, given: given2, o: other(rest2[id2].id) }; }
    try { helper2(); } catch (error2) { throw error2; }
    function helper2() { const [first2] = known({ id: 1 }); return typeof first2; }`);
});
