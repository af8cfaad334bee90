import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Call, get, put, remove, transact, update } from './conformance.ts';

type Values = Record<string, unknown>;

/** An expression with its values. */
interface Fragment {
  readonly text: string;
  readonly values: Values;
}

const NAMES = ['alpha', 'beta', 'gamma'] as const;
const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom('a', 'ab', 'b', 'B', 'ä', 'z');
const number = fc.constantFrom(-5, 0, 1, 2, 10, 9.5, 1_763_208_000_000);
const ordered = fc.oneof(text, number);
const anyValue = fc.oneof(text, number, fc.boolean());

let serial = 0;
/** Unique placeholder names, so that fragments can be combined. */
function bind(value: unknown): [string, Values] {
  serial += 1;
  return [`:v${serial}`, { [`:v${serial}`]: value }];
}

const atom: fc.Arbitrary<Fragment> = fc.oneof(
  fc
    .tuple(fc.constantFrom('attribute_exists', 'attribute_not_exists'), name)
    .map(([test, subject]) => ({ text: `${test}(${subject})`, values: {} })),
  fc.tuple(name, fc.constantFrom('=', '<>'), anyValue).map(([subject, sign, value]) => {
    const [token, values] = bind(value);
    return { text: `${subject} ${sign} ${token}`, values };
  }),
  fc.tuple(name, fc.constantFrom('<', '<=', '>', '>='), ordered).map(([subject, sign, value]) => {
    const [token, values] = bind(value);
    return { text: `${subject} ${sign} ${token}`, values };
  }),
  fc.tuple(name, fc.constantFrom('=', '<>'), name).map(([left, sign, right]) => ({
    text: `${left} ${sign} ${right === left ? 'pk' : right}`,
    values: {},
  })),
  fc.tuple(name, text).map(([subject, prefix]) => {
    const [token, values] = bind(prefix);
    return { text: `begins_with(${subject}, ${token})`, values };
  }),
  fc.tuple(name, number, number).map(([subject, a, b]) => {
    const [low, lowValue] = bind(Math.min(a, b));
    const [high, highValue] = bind(Math.max(a, b));
    return { text: `${subject} BETWEEN ${low} AND ${high}`, values: { ...lowValue, ...highValue } };
  }),
);

const { condition } = fc.letrec<{ condition: Fragment }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc
      .tuple(tie('condition'), fc.constantFrom('AND', 'OR', 'and', 'or'), tie('condition'))
      .map(([a, sign, b]) => ({
        text: `${a.text} ${sign} ${b.text}`,
        values: { ...a.values, ...b.values },
      })),
    // DynamoDB rejects redundant parentheses, so these always contain two conditions.
    fc.tuple(tie('condition'), tie('condition'), fc.boolean()).map(([a, b, not]) => ({
      text: `${not ? 'NOT ' : ''}(${a.text} OR ${b.text})`,
      values: { ...a.values, ...b.values },
    })),
  ),
}));

const SET = fc
  .tuple(name, anyValue, name, fc.integer({ min: 0, max: 2 }))
  .map(([target, value, other, kind]) => {
    const [token, values] = bind(value);
    if (kind === 0) return { text: `${target} = ${token}`, values };
    if (kind === 1) return { text: `${target} = if_not_exists(${other}, ${token})`, values };
    return { text: `${target} = ${other}`, values: {} };
  });
const ADD = fc.tuple(name, fc.constantFrom(-1, 1, 2.5)).map(([target, by]) => {
  const [token, values] = bind(by);
  return { text: `${target} ${token}`, values };
});
const REMOVE = name.map((target) => ({ text: target as string, values: {} }));

/** Some change an attribute twice or read a missing one: both engines must reject these. */
const updates: fc.Arbitrary<Fragment> = fc
  .tuple(fc.array(SET, { maxLength: 2 }), fc.array(ADD, { maxLength: 1 }), fc.array(REMOVE, { maxLength: 1 }))
  .filter((clauses) => clauses.some(({ length }) => length > 0))
  .map((clauses) => ({
    text: clauses
      .map((fragments, at) =>
        fragments.length > 0
          ? `${['SET', 'ADD', 'REMOVE'][at]} ${fragments.map((each) => each.text).join(', ')}`
          : '',
      )
      .filter(Boolean)
      .join(' '),
    values: Object.assign({}, ...clauses.flat().map(({ values }) => values)) as Values,
  }));

const attributes = fc.record({ alpha: anyValue, beta: anyValue, gamma: anyValue }, { requiredKeys: [] });

const given = (values: Values) =>
  Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {};

/** An item or none, one conditional write of any kind, and a read of the result. */
export function generatedCalls(): fc.Arbitrary<Call[]> {
  return fc
    .record({
      before: fc.option(attributes),
      guard: condition,
      change: updates,
      kind: fc.constantFrom('put', 'update', 'delete', 'transactPut', 'transactUpdate'),
      returns: fc.constantFrom('ALL_NEW', 'UPDATED_NEW'),
    })
    .map(({ before, guard, change, kind, returns }) => {
      const Key = { workspaceId: randomUUID() };
      const conditional = {
        ConditionExpression: guard.text,
        ...given(guard.values),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      };
      const both = { ...conditional, ...given({ ...guard.values, ...change.values }) };
      const writes: Record<typeof kind, () => Call> = {
        put: () =>
          put('workspaces', { Item: { ...Key, alpha: 'new' }, ...conditional, ReturnValues: 'ALL_OLD' }),
        update: () =>
          update('workspaces', { Key, UpdateExpression: change.text, ...both, ReturnValues: returns }),
        delete: () => remove('workspaces', { Key, ...conditional, ReturnValues: 'ALL_OLD' }),
        transactPut: () =>
          transact([
            ['Put', 'idempotency', { Item: { keyHash: Key.workspaceId } }],
            ['Put', 'workspaces', { Item: { ...Key, alpha: 'new' }, ...conditional }],
          ]),
        transactUpdate: () =>
          transact([['Update', 'workspaces', { Key, UpdateExpression: change.text, ...both }]]),
      };
      return [
        ...(before ? [put('workspaces', { Item: { ...Key, ...before } })] : []),
        writes[kind](),
        get('workspaces', { Key, ConsistentRead: true }),
        get('idempotency', { Key: { keyHash: Key.workspaceId }, ConsistentRead: true }),
      ];
    });
}
