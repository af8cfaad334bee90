import type { Input, Reply } from '../double/dynamodb-double.ts';
import type { Service } from './network.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A success that leaves something out, as a batch of which a part was throttled. */
export function partialReply(
  service: Service,
  operation: string,
  input: Input,
  random: SeededRandom,
): Reply | undefined {
  if (operation === 'BatchGetItem') return someTables(service, input, random);
  return operation === 'BatchWriteItem'
    ? someWrites(service, input, random)
    : someMessages(service, input, random);
}

function someTables(service: Service, { RequestItems }: Input, random: SeededRandom): Reply {
  const all = Object.entries(RequestItems as Record<string, unknown>);
  const left = all.filter(() => random.chance(0.6));
  const rest = all.filter((entry) => !left.includes(entry));
  const { statusCode, body } = service.execute('BatchGetItem', { RequestItems: Object.fromEntries(rest) });
  return { statusCode, body: { ...body, UnprocessedKeys: Object.fromEntries(left) } };
}

/** At least one is done: a batch of which nothing was done is an error on AWS. */
function someWrites(service: Service, { RequestItems }: Input, random: SeededRandom): Reply {
  const all = Object.entries(RequestItems as Record<string, unknown[]>).flatMap(([table, requests]) =>
    requests.map((request) => ({ table, request })),
  );
  const kept = random.below(all.length);
  const left = all.filter((_, at) => at !== kept && random.chance(0.6));
  const byTable = (writes: typeof all) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(writes, ({ table }) => table)).map(([table, ofTable = []]) => [
        ...[table, ofTable.map(({ request }) => request)],
      ]),
    );
  const done = all.filter((write) => !left.includes(write));
  const { statusCode, body } = service.execute('BatchWriteItem', { RequestItems: byTable(done) });
  return { statusCode, body: { ...body, UnprocessedItems: byTable(left) } };
}

function someMessages(service: Service, input: Input, random: SeededRandom): Reply {
  const entries = input.Entries as { Id: string }[];
  const refused = entries.filter(() => random.chance(0.6));
  const taken = entries.filter((entry) => !refused.includes(entry));
  const { statusCode, body } = service.execute('SendMessageBatch', { ...input, Entries: taken });
  const Failed = refused.map(({ Id }) => ({ Id, Code: 'ServiceUnavailable', SenderFault: false }));
  return { statusCode, body: { ...body, Failed } };
}
