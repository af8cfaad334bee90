import { describe, expect, test } from '@jest/globals';
import type { StreamMapping } from '../../local/event-source/mapping.ts';
import { makeStreamDelivery } from '../../local/event-source/stream-delivery.ts';

const MAPPING: StreamMapping = {
  kind: 'stream',
  logicalId: 'Mapping',
  functionArn: '',
  streamArn: 'arn:aws:dynamodb:ddblocal:000000000000:table/T/stream/1',
  startingPosition: 'TRIM_HORIZON',
  batchSize: 10,
  batchingWindowSeconds: 0,
  matches: () => true,
  reportsItemFailures: false,
  bisects: false,
  tumblingWindowSeconds: 0,
  maximumRetries: 1,
};
const ITEMS = [1, 2, 3].map((n) => ({ sequenceNumber: String(n), json: `{"n":${n}}` }));

interface Delivered {
  readonly Records: readonly { readonly n: number }[];
  readonly shardId?: string;
  readonly window?: { readonly start: string; readonly end: string };
}

/** Delivers three records to a function of the test. */
async function deliver(overrides: Partial<StreamMapping>, behave: (call: number) => string) {
  const events: Delivered[] = [];
  const printed: string[] = [];
  const settings = {
    async invoke(event: string) {
      events.push(JSON.parse(event));
      return behave(events.length);
    },
    print: (line: string) => void printed.push(line),
  };
  const { signal } = new AbortController();
  await makeStreamDelivery({ ...MAPPING, ...overrides }, settings, signal)(ITEMS, 'shardId-7');
  return { events, printed };
}

test('without a window, an event has only its records', async () => {
  const { events } = await deliver({}, () => 'null');
  expect(events).toEqual([{ Records: [{ n: 1 }, { n: 2 }, { n: 3 }] }]);
});

describe('with a tumbling window', () => {
  test('an event names its shard, its stream and the window, which begins at a whole multiple', async () => {
    const { events } = await deliver({ tumblingWindowSeconds: 900 }, () => '{"state":{}}');
    expect(events).toEqual([
      {
        Records: [{ n: 1 }, { n: 2 }, { n: 3 }],
        window: { start: expect.any(String), end: expect.any(String) },
        state: {},
        shardId: 'shardId-7',
        // As Lambda names it, not as DynamoDB Local does.
        eventSourceARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/1',
        isFinalInvokeForWindow: false,
        isWindowTerminatedEarly: false,
      },
    ]);
    const { start = '', end = '' } = events[0]?.window ?? {};
    expect(Date.parse(start) % 900_000).toBe(0);
    expect(Date.parse(end) - Date.parse(start)).toBe(900_000);
  });

  test.each(['null', '{}', '{"state":null}', '{"state":1}', '"state"', 'no JSON', ''])(
    'a function that returns %j, and so no state, has failed',
    async (response) => {
      const { events, printed } = await deliver({ tumblingWindowSeconds: 900 }, (call) =>
        call === 1 ? response : '{"state":{}}',
      );
      expect(events).toHaveLength(2);
      expect(printed[0]).toBe('Mapping has a tumbling window, but its function returned no state');
    },
  );

  test('both halves of a split batch belong to the same shard', async () => {
    const { events } = await deliver({ tumblingWindowSeconds: 900, bisects: true }, (call) =>
      call === 1 ? 'null' : '{"state":{}}',
    );
    expect(events.map(({ Records }) => Records.length)).toEqual([3, 2, 1]);
    expect(events.map(({ shardId }) => shardId)).toEqual(['shardId-7', 'shardId-7', 'shardId-7']);
  });
});
