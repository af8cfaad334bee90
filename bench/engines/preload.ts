import { Agent, request } from 'node:http';

type WireValue = Readonly<Record<string, unknown>>;
export type PreloadItem = Readonly<Record<string, WireValue>>;

/** In a batch of DynamoDB's. */
const BATCH = 25;
const AT_ONCE = 6;

/**
 * Fills a table with many items. Not by the SDK, which would take most of the time to sign what DynamoDB Local does not
 * check.
 */
export async function preload(endpoint: string, table: string, items: Iterable<PreloadItem>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const batches = inBatches(items);
  async function work(): Promise<void> {
    for (const batch of batches) {
      const puts = batch.map((Item) => ({ PutRequest: { Item } }));
      const answer = await post(endpoint, agent, { RequestItems: { [table]: puts } });
      const { UnprocessedItems = {} } = JSON.parse(answer) as { UnprocessedItems?: object };
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB Local left items out');
    }
  }
  // One generator for all: each takes the next batch that there is.
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
}

function* inBatches(items: Iterable<PreloadItem>): Generator<PreloadItem[]> {
  let batch: PreloadItem[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function post(endpoint: string, agent: Agent, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(endpoint, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.BatchWriteItem',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`DynamoDB Local: ${response.statusCode} ${text}`));
      });
    });
    sent.end(JSON.stringify(body));
  });
}
