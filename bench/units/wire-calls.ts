import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

export type WireValue = { readonly [type: string]: unknown };
export type WireItem = Readonly<Record<string, WireValue>>;

export interface WireKeys {
  readonly Keys: readonly WireItem[];
  readonly ConsistentRead?: boolean;
}

export interface WireWrite {
  readonly PutRequest?: { readonly Item: WireItem };
  readonly DeleteRequest?: { readonly Key: WireItem };
}

/** The parts of a request to DynamoDB that say what is read and written. */
export interface WireInput {
  readonly TableName?: string;
  readonly Key?: WireItem;
  readonly Item?: WireItem;
  readonly ConsistentRead?: boolean;
  /** BatchGetItem by table, or BatchWriteItem. */
  readonly RequestItems?: Readonly<Record<string, WireKeys | readonly WireWrite[]>>;
  readonly TransactItems?: readonly Readonly<Record<string, WireInput>>[];
}

export interface WireCall {
  /** `PutItem` */
  readonly action: string;
  readonly input: WireInput;
  /** As the engine reports it. Undefined if it rejected the call. */
  readonly consumed: readonly { readonly CapacityUnits?: number }[];
  readonly refused: boolean;
}

export interface WireCalls {
  list(): readonly WireCall[];
  reset(): void;
}

/** Records what a client actually sends, and asks the engine what it charges. */
export function recordWire(client: Pick<DynamoDBClient, 'middlewareStack'>): WireCalls {
  let calls: WireCall[] = [];
  client.middlewareStack.add(
    (next) => async (args) => {
      const request = args.request as { headers: Record<string, string>; body: string | Uint8Array };
      const action = request.headers['x-amz-target']?.split('.').at(-1) ?? '';
      const input = JSON.parse(textOf(request.body)) as WireInput;
      request.body = JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' });
      try {
        const result = await next(args);
        const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: object };
        calls.push({ action, input, refused: false, consumed: [ConsumedCapacity].flat() });
        return result;
      } catch (error) {
        calls.push({ action, input, refused: true, consumed: [] });
        throw error;
      }
    },
    // Before the length of the body is computed.
    { step: 'build', priority: 'high', name: 'recordWire' },
  );
  return {
    list: () => calls,
    reset: () => {
      calls = [];
    },
  };
}

function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

type Attributes = Parameters<typeof unmarshall>[0];

/** An item from a request, as values whose size can be computed. Binary values are base64 in requests. */
export function fromWire(item: WireItem): Record<string, unknown> {
  return unmarshall(reviveItem(item) as unknown as Attributes, { wrapNumbers: false });
}

function reviveItem(item: WireItem): WireItem {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, revive(value)]));
}

function revive(value: WireValue): WireValue {
  if (typeof value.B === 'string') return { B: Buffer.from(value.B, 'base64') };
  if (Array.isArray(value.L)) return { L: value.L.map(revive) };
  if (value.M !== undefined) return { M: reviveItem(value.M as WireItem) };
  return value;
}
