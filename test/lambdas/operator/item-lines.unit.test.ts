import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromItemLine, type Item, toItemLine } from '#operator/table-items-store.ts';

/** The SDK's own marshalling cannot take a map with a key such as `constructor`, so that no item has one. */
const name = fc.string().map((text) => `_${text}`);

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ minLength: 1, maxLength: 50 }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;

/** Bytes come back as a Buffer, which is a Uint8Array of another class. */
const plain = (item: unknown): unknown =>
  item instanceof Uint8Array
    ? Uint8Array.from(item)
    : Array.isArray(item)
      ? item.map(plain)
      : typeof item === 'object' && item !== null
        ? Object.fromEntries(Object.entries(item).map(([name, each]) => [name, plain(each)]))
        : item;

test('an item is written as one line and read back unchanged, bytes included', () => {
  const items = fc.dictionary(name, value, { noNullPrototype: true });
  fc.assert(
    fc.property(items, (item) => {
      const line = toItemLine(item as Item);
      expect(line).toMatch(/^[^\n]+\n$/);
      expect(plain(fromItemLine(line))).toEqual(plain(item));
    }),
  );
});

test('a line is what DynamoDB writes into its own exports', () => {
  const item = { leadId: 'a', score: 80, clean: true, packed: new Uint8Array([1, 2, 3]) };
  expect(toItemLine(item)).toBe(
    '{"Item":{"leadId":{"S":"a"},"score":{"N":"80"},"clean":{"BOOL":true},"packed":{"B":"AQID"}}}\n',
  );
});
