import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

export type Item = Readonly<Record<string, unknown>>;

/** One item as a line of text, in the form that DynamoDB's own export to S3 has and its import takes. */
export function toItemLine(item: Item): string {
  return `${JSON.stringify({ Item: bytesAsText(marshall(item, { removeUndefinedValues: true })) })}\n`;
}

/** Throws where the line is no item. */
export function fromItemLine(line: string): Item {
  const { Item } = JSON.parse(line) as { Item: Values };
  return unmarshall(textAsBytes(Item) as Record<string, AttributeValue>);
}

type Values = Readonly<Record<string, unknown>>;

/** JSON has no bytes: they stand there in base64, as DynamoDB writes them. */
function bytesAsText(values: Values): Values {
  return convert(values, (bytes) => Buffer.from(bytes as Uint8Array).toString('base64'));
}

function textAsBytes(values: Values): Values {
  return convert(values, (text) => Buffer.from(text as string, 'base64'));
}

function convert(values: Values, binary: (value: unknown) => unknown): Values {
  const one = (value: Values): Values => {
    const [[type, content] = []] = Object.entries(value);
    if (type === 'B') return { B: binary(content) };
    if (type === 'BS') return { BS: (content as unknown[]).map(binary) };
    if (type === 'M') return { M: convert(content as Values, binary) };
    if (type === 'L') return { L: (content as Values[]).map(one) };
    return value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, one(value as Values)]));
}

/** All items of a table, page by page, each as it is when its page is read. The parts of a lead follow each other. */
export async function* readTable(
  client: DynamoDBDocumentClient,
  table: string,
  signal: AbortSignal,
): AsyncGenerator<Item[]> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
    signal.throwIfAborted();
    if (Items.length > 0) yield Items;
  }
}
