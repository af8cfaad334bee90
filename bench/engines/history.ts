import { Agent, request } from 'node:http';
import { makeLeadId } from '../../lambdas/model/lead-item.ts';
import { hourOf, minuteOf } from '../../lambdas/model/time-buckets.ts';
import { counterName } from '../../lambdas/rejections/diagnostics-items.ts';

type WireValue = Readonly<Record<string, unknown>>;
export type PreloadItem = Readonly<Record<string, WireValue>>;

/** The most that DynamoDB takes in a batch. */
const BATCH = 25;
const CONCURRENCY = 6;

/**
 * Fills a table with many items. Does not use the SDK, which would spend most of the time on signatures that
 * DynamoDB Local does not check.
 */
export async function preload(endpoint: string, table: string, items: Iterable<PreloadItem>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const batches = inBatches(items);
  async function work(): Promise<void> {
    for (const batch of batches) {
      const puts = batch.map((Item) => ({ PutRequest: { Item } }));
      const answer = await post(endpoint, agent, { RequestItems: { [table]: puts } });
      const { UnprocessedItems = {} } = JSON.parse(answer) as { UnprocessedItems?: object };
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB Local left items out');
    }
  }
  // All senders share one generator, and take the next batch from it.
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
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

interface Owner {
  readonly workspaceId: string;
  readonly formId: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const PERIOD_MS = 30 * DAY_MS;
const REASONS = ['signature_mismatch', 'body_not_object', 'timestamp_out_of_window', 'body_invalid_json'];

/** The time of the n-th item, newest first, if all are spread evenly over the last thirty days. */
const momentOf = (n: number, count: number, now: number) => now - Math.floor((n / count) * PERIOD_MS) - 1_000;
const text = (S: string) => ({ S });
const number = (N: number) => ({ N: String(N) });

export function* leadHistory(
  { workspaceId, formId }: Owner,
  count: number,
  now: number,
): Generator<PreloadItem> {
  const body = JSON.stringify({
    name: 'Ada Byron',
    email: 'ada@analytical-engines.co.uk',
    message: 'x'.repeat(200),
  });
  for (let n = 0; n < count; n += 1) {
    const at = momentOf(n, count, now);
    yield {
      leadId: text(makeLeadId(at, randomTen(n))),
      part: text('lead'),
      workspaceId: text(workspaceId),
      formId: text(formId),
      surface: text('1a'),
      receivedAt: text(new Date(at).toISOString()),
      body: text(body),
      signals: text('[]'),
      score: number(80),
      clean: { BOOL: true },
      v: number(1),
    };
  }
}

/** The hourly counts of those leads, from the four shards of a new table. */
export function* statsHistory(
  { workspaceId, formId }: Owner,
  count: number,
  now: number,
): Generator<PreloadItem> {
  const perHour = Math.max(1, Math.round(count / (30 * 24 * 4)));
  for (let hour = 0; hour < Math.min(count, 30 * 24); hour += 1) {
    const at = new Date(now - hour * 60 * 60 * 1_000).toISOString().slice(0, 13);
    for (let shard = 0; shard < 4; shard += 1) {
      yield {
        workspaceId: text(workspaceId),
        sk: text(`hour#${at}Z#${formId}#${String(shard).padStart(11, 's')}`),
        accepted: number(perHour),
        clean: number(perHour),
        band80: number(perHour),
        seq: text(String(hour).padStart(40, '0')),
        latest: text(`${at}:59:59.999Z`),
        v: number(2),
      };
    }
  }
}

/** The most that rejections can leave: one event each, and a counter per minute in the item of the hour. */
export function* rejectionHistory(
  { workspaceId, formId }: Owner,
  count: number,
  now: number,
): Generator<PreloadItem> {
  for (let n = 0; n < count; n += 1) {
    const at = momentOf(n, count, now);
    const reason = REASONS[n % REASONS.length] as string;
    const expiresAt = number(Math.floor(at / 1_000) + 31 * 24 * 60 * 60);
    yield {
      workspaceId: text(workspaceId),
      sk: text(`event#${minuteOf(at)}#a${String(n % 20).padStart(2, '0')}`),
      at: text(new Date(at).toISOString()),
      reason: text(reason),
      surface: text('1b'),
      expiresAt,
      formId: text(formId),
      requestId: text(`request-${workspaceId}-${n}`),
      detail: { M: {} },
      bodyBytes: number(400),
      sourceAddress: text('192.0.2.1'),
      userAgent: text('provider/1.0'),
      authenticated: { BOOL: true },
      v: number(2),
    };
  }
  // A batch may not contain a key twice, so each hour is one item with the sums of its minutes.
  const hours = new Map<string, Map<string, number>>();
  for (let n = 0; n < count; n += 1) {
    const at = momentOf(n, count, now);
    const kind = n % 4 === 3 ? 'limited' : 'rejected';
    const reason = kind === 'limited' ? 'rate_limited_minute' : (REASONS[n % REASONS.length] as string);
    const sk = `${kind}#${hourOf(at)}#1b#${formId}#${reason}#a0`;
    const minutes = hours.get(sk) ?? new Map<string, number>();
    const minute = counterName(new Date(at).toISOString());
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    hours.set(sk, minutes);
  }
  const expiresAt = number(Math.floor(now / 1_000) + 24 * 60 * 60);
  for (const [sk, minutes] of hours) {
    yield {
      workspaceId: text(workspaceId),
      sk: text(sk),
      ...Object.fromEntries([...minutes].map(([name, count]) => [name, number(count)])),
      expiresAt,
      v: number(2),
    };
  }
}

/** What a lookup by request id finds. */
export function* rejectionRecords(
  { workspaceId, formId }: Owner,
  count: number,
  now: number,
): Generator<PreloadItem> {
  for (let n = 0; n < count; n += 1) {
    yield {
      requestId: text(`request-${workspaceId}-${n}`),
      sk: text(`${workspaceId}#${n}`),
      at: text(new Date(now).toISOString()),
      reason: text('body_not_object'),
      surface: text('1b'),
      formId: text(formId),
      bodyBytes: number(400),
      detail: { M: {} },
      authenticated: { BOOL: true },
      expiresAt: number(Math.ceil(now / 1_000) + 100_000),
      v: number(1),
    };
  }
}

export function* otherWorkspaces(count: number): Generator<PreloadItem> {
  for (let n = 0; n < count; n += 1) {
    yield {
      workspaceId: text(`ws_neighbor${String(n).padStart(6, '0')}`),
      name: text(`Neighbor ${n}`),
      status: text('active'),
      configVersion: number(1),
      v: number(1),
    };
  }
}

/** Different for each number, and the same in every run. */
function randomTen(n: number): Buffer {
  const bytes = Buffer.alloc(10, 1);
  bytes.writeUInt32BE(n, 6);
  return bytes;
}
