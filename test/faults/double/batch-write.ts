import type { Input, Store } from './dynamodb-double.ts';
import { requireMembers } from './request-members.ts';
import { invalid } from './service-error.ts';
import { Unsupported } from './unsupported.ts';
import { prepareDelete, preparePut } from './writes.ts';

const MOST_WRITES = 25;

/** Puts and deletes without conditions. What DynamoDB may leave undone is for the network to decide. */
export function batchWrite(store: Store, input: Input) {
  requireMembers(input, ['RequestItems']);
  const requests = Object.entries(input.RequestItems as Record<string, Record<string, Input>[]>);
  const counts = requests.map(([, ofTable]) => ofTable.length);
  if (counts.length === 0 || counts.includes(0)) throw invalid('The batch is empty');
  if (counts.reduce((sum, count) => sum + count) > MOST_WRITES) throw invalid('A batch takes 25 writes');

  const writes = requests.flatMap(([TableName, ofTable]) =>
    ofTable.map((request) => ({ TableName, prepared: prepare(store, TableName, request) })),
  );
  const targets = writes.map(({ TableName, prepared }) => `${TableName}/${prepared.address}`);
  if (new Set(targets).size < targets.length) throw invalid('The batch names an item twice');
  for (const { TableName, prepared } of writes) {
    store.write(TableName, prepared.address, prepared.after().item);
  }
  return { UnprocessedItems: {} };
}

function prepare(
  store: Store,
  TableName: string,
  { PutRequest, DeleteRequest, ...others }: Record<string, Input>,
) {
  if (Object.keys(others).length > 0) throw new Unsupported(`the write ${Object.keys(others)}`);
  return PutRequest
    ? preparePut(store, { TableName, ...PutRequest })
    : prepareDelete(store, { TableName, ...DeleteRequest });
}
