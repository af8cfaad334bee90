import { expect, test } from '@jest/globals';
import type { StreamMapping } from '../../local/event-source/mapping.ts';
import { followShard } from '../../local/event-source/shard-reader.ts';

const MAPPING: StreamMapping = {
  kind: 'stream',
  logicalId: 'Mapping',
  functionArn: '',
  streamArn: 'arn:stream',
  startingPosition: 'TRIM_HORIZON',
  batchSize: 2,
  batchingWindowSeconds: 0,
  matches: () => true,
  reportsItemFailures: false,
  bisects: false,
  tumblingWindowSeconds: 0,
  maximumRetries: 0,
};

test('reads on at once after a full read, and rests after a partial one so that batches can form', async () => {
  const reads = [[1, 2], [3], [], [4]];
  const course: string[] = [];
  await followShard({
    mapping: MAPPING,
    shardId: 'shardId-1',
    reader: {
      open: async () => undefined,
      async read() {
        const numbers = reads.shift() ?? [];
        course.push(`read ${numbers.length}`);
        return {
          records: numbers.map((number) => ({ dynamodb: { SequenceNumber: String(number) } })),
          ended: reads.length === 0,
        };
      },
    },
    deliver: async (items, shardId) => void course.push(`deliver ${items.length} of ${shardId}`),
    pace: { speedUp: () => undefined, rest: async () => void course.push('rest') },
    signal: new AbortController().signal,
  });
  expect(course).toEqual([
    ...['read 2', 'deliver 2 of shardId-1'],
    ...['read 1', 'deliver 1 of shardId-1', 'rest'],
    ...['read 0', 'rest'],
    ...['read 1', 'deliver 1 of shardId-1'],
  ]);
});
