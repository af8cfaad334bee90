import { expect, test } from '@jest/globals';
import { readBatchResponse } from '../../local/event-source/event-source.ts';

const failures = (...ids: unknown[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

test.each<[string, unknown, unknown]>([
  ['nothing', null, 'done'],
  ['an empty object', {}, 'done'],
  ['a null list', { batchItemFailures: null }, 'done'],
  ['an empty list', failures(), 'done'],
  ['one item', failures('b'), new Set(['b'])],
  ['two items', failures('c', 'a'), new Set(['a', 'c'])],
  ['an item that was not in the batch', failures('a', 'z'), 'failed'],
  ['an empty identifier', failures(''), 'failed'],
  ['no identifier', failures(null), 'failed'],
  ['a wrong key', { batchItemFailures: [{ id: 'a' }] }, 'failed'],
  ['no object in the list', { batchItemFailures: [null] }, 'failed'],
  ['no list', { batchItemFailures: 'a' }, 'failed'],
  ['text', 'fine', 'failed'],
])('a function that answers with %s', (_, response, outcome) => {
  expect(readBatchResponse(JSON.stringify(response), new Set(['a', 'b', 'c']))).toEqual(outcome);
});
