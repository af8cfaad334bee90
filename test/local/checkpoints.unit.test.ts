import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { openCheckpoints } from '#local/event-source/checkpoints.ts';
import type { StreamMapping } from '#local/event-source/mapping.ts';
import { makeClosers } from '#local/lifecycle.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder('checkpoints');
const file = join(folder, 'checkpoints.json');
beforeEach(() => rmSync(file, { force: true }));

const mapping = (logicalId: string, streamArn = 'arn:one') => ({ logicalId, streamArn }) as StreamMapping;

/** One run of the stack, whose queues hold messages at the end or not. */
async function run(work: (checkpoints: ReturnType<typeof openCheckpoints>) => void, isIdle = true) {
  const closers = makeClosers();
  work(openCheckpoints({ file, isIdle: () => isIdle }, closers));
  await closers.close();
}

test('the next start goes on where each mapping was in each shard', async () => {
  await run((checkpoints) => {
    checkpoints.note(mapping('Relay'), 'shard-1', '10');
    checkpoints.note(mapping('Relay'), 'shard-1', '11');
    checkpoints.note(mapping('Relay'), 'shard-2', '5');
    checkpoints.note(mapping('Stats'), 'shard-1', '9');
  });
  await run((checkpoints) => {
    expect(checkpoints.find(mapping('Relay'), 'shard-1')).toBe('11');
    expect(checkpoints.find(mapping('Relay'), 'shard-2')).toBe('5');
    expect(checkpoints.find(mapping('Stats'), 'shard-1')).toBe('9');
    expect(checkpoints.find(mapping('Stats'), 'shard-2')).toBeUndefined();
    expect(checkpoints.find(mapping('Relay', 'arn:made-again'), 'shard-1')).toBeUndefined();
  });
  // Also if nothing new happened in the second run.
  await run((checkpoints) => expect(checkpoints.find(mapping('Stats'), 'shard-1')).toBe('9'));
});

test('nothing is kept while a queue holds messages, which are lost at the end', async () => {
  await run((checkpoints) => checkpoints.note(mapping('Relay'), 'shard-1', '10'), false);
  expect(existsSync(file)).toBe(false);
  await run((checkpoints) => checkpoints.note(mapping('Relay'), 'shard-1', '10'));
  await run((checkpoints) => checkpoints.note(mapping('Relay'), 'shard-1', '20'), false);
  await run((checkpoints) => expect(checkpoints.find(mapping('Relay'), 'shard-1')).toBe('10'));
});

test('shards that are gone are forgotten, and a damaged file counts as none', async () => {
  await run((checkpoints) => {
    checkpoints.note(mapping('Relay'), 'shard-1', '10');
    checkpoints.note(mapping('Relay'), 'shard-2', '20');
  });
  await run((checkpoints) => void checkpoints.find(mapping('Relay'), 'shard-2'));
  expect(readFileSync(file, 'utf8')).not.toContain('shard-1');
  writeFileSync(file, '{"Rel');
  await run((checkpoints) => expect(checkpoints.find(mapping('Relay'), 'shard-2')).toBeUndefined());
});
