import { beforeEach, expect, test } from '@jest/globals';
import { makeTurns, type Turns } from '../../local/event-source/turns.ts';
import { waitFor } from '../until.ts';

/** Resolves when the test says so. */
let response: PromiseWithResolvers<string>;
let started: string[];

beforeEach(() => {
  response = Promise.withResolvers();
  started = [];
});

const open = (patience?: number) =>
  makeTurns({ open: () => undefined, invoke: () => response.promise }, patience);

/** Begins a batch as soon as it is its turn. Returns how to end it. */
function begin(turns: Turns, name: string): () => Promise<void> {
  const batch = Promise.withResolvers<void>();
  const taken = turns.take(() => {
    started.push(name);
    return batch.promise;
  });
  return () => {
    batch.resolve();
    return taken;
  };
}

const settle = () => new Promise(setImmediate);

test('batches are worked on at the same time while nobody waits for a response', async () => {
  const turns = open();
  for (const name of ['a', 'b', 'c']) begin(turns, name);
  await settle();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('while somebody waits, they are worked on one after the other', async () => {
  const turns = open();
  const responding = turns.responding.invoke('function', '{}');
  const endFirst = begin(turns, 'a');
  begin(turns, 'b');
  begin(turns, 'c');
  await settle();
  expect(started).toEqual(['a']);
  await endFirst();
  await settle();
  expect(started).toEqual(['a', 'b']);
  response.resolve('response');
  await expect(responding).resolves.toBe('response');
  expect(started).toEqual(['a', 'b', 'c']);
});

test('a request that fails holds up nobody any longer', async () => {
  const turns = open();
  const responding = turns.responding.invoke('function', '{}');
  begin(turns, 'a');
  begin(turns, 'b');
  response.reject(new Error('crashed'));
  await expect(responding).rejects.toThrow('crashed');
  expect(started).toEqual(['a', 'b']);
});

test('a batch that takes long lets others begin, and is not counted again when it ends', async () => {
  const turns = open(50);
  void turns.responding.invoke('function', '{}');
  const endSlow = begin(turns, 'slow');
  const endNext = begin(turns, 'next');
  await settle();
  expect(started).toEqual(['slow']);
  await waitFor(() => started.length > 1);
  await Promise.all([endSlow(), endNext()]);
  begin(turns, 'later');
  begin(turns, 'last');
  await settle();
  expect(started).toEqual(['slow', 'next', 'later']);
});
