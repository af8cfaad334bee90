import { expect, test } from '@jest/globals';
import { makeClosers } from '../../local/lifecycle.ts';

test('closes in reverse order, one after the other', async () => {
  const ended: string[] = [];
  const closers = makeClosers();
  closers.defer(() => void ended.push('first'));
  closers.defer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    ended.push('second');
  });
  await closers.close();
  expect(ended).toEqual(['second', 'first']);
});

test('closes the rest if one fails to close', async () => {
  const ended: string[] = [];
  const closers = makeClosers();
  closers.defer(() => void ended.push('rest'));
  closers.defer(() => Promise.reject(new Error('stuck')));
  await expect(closers.close()).rejects.toThrow('not everything could be closed');
  expect(ended).toEqual(['rest']);
});

test('closes at once what is started after closing', async () => {
  const closers = makeClosers();
  await closers.close();
  await new Promise<void>((resolve) => closers.defer(resolve));
});

test('closes once, however often it is called', async () => {
  let times = 0;
  const closers = makeClosers();
  closers.defer(() => void times++);
  await Promise.all([closers.close(), closers.close()]);
  expect(times).toBe(1);
});
