import {
  GetCommand,
  PutCommand,
  paginateQuery,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext, unlessConditionFails } from '../aws/dynamodb.ts';
import { ifUnchanged } from '../owner-api/revise.ts';
import { type Alert, type AlertSettings, DEFAULT_SETTINGS, type SeenBy } from './alert.ts';
import { alertAddress, HISTORY, SETTINGS, STATE } from './alerts-store.ts';

/** The owner's side: what is open, the history, and the settings. */
export interface AlertReader {
  /** All that are open now, newest first. */
  open(workspaceId: string, signal: AbortSignal): Promise<Alert[]>;
  /** Newest first; `before` is the id of the last alert of the page before. */
  page(
    workspaceId: string,
    options: { readonly limit: number; readonly before?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ alerts: Alert[]; next: string | undefined }>;
  find(workspaceId: string, alertId: string, signal: AbortSignal): Promise<Alert | undefined>;
  /** Keeps who has seen it first, and returns the alert. Undefined if there is none. */
  see(workspaceId: string, alertId: string, seen: SeenBy, signal: AbortSignal): Promise<Alert | undefined>;
  settings(workspaceId: string, signal: AbortSignal): Promise<StoredSettings>;
  /** False if they were changed since they were read. */
  changeSettings(
    workspaceId: string,
    settings: AlertSettings,
    seen: Pick<StoredSettings, 'revision'>,
    signal: AbortSignal,
  ): Promise<boolean>;
}

export interface StoredSettings {
  readonly settings: AlertSettings;
  /** Absent if the owner has never changed them. */
  readonly revision?: number | undefined;
}

/** The most keys of one batch. More open alerts would be too many to read anyway. */
const MAX_OPEN = 100;

export function makeAlertReader({
  client,
  tables,
  now,
}: StoreContext<'alerts'> & { readonly now: () => number }): AlertReader {
  const table = tables.alerts;
  const isKept = ({ expiresAt }: Readonly<Record<string, unknown>>) =>
    typeof expiresAt !== 'number' || expiresAt > now() / 1000;

  /** The items below a prefix, until the caller has enough of them. */
  async function* itemsBelow(
    workspaceId: string,
    prefix: string,
    options: Partial<QueryCommandInput>,
    signal: AbortSignal,
  ) {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':workspaceId': workspaceId, ':prefix': prefix },
        ...options,
      },
      { abortSignal: signal },
    );
    for await (const { Items = [] } of pages) yield* Items;
  }

  return {
    async open(workspaceId, signal) {
      const ids: string[] = [];
      const options = { FilterExpression: 'attribute_not_exists(closedAt)' };
      for await (const { alertId } of itemsBelow(workspaceId, STATE, options, signal)) {
        ids.push(String(alertId));
      }
      const newest = ids.sort().reverse().slice(0, MAX_OPEN);
      const addresses = newest.map((alertId) => alertAddress(table, workspaceId, alertId));
      const found = addresses.length === 0 ? [] : await batchGet(client, addresses, signal);
      const alerts = found.flatMap((item) => (item ? toAlert(item) : []));
      // One may have been closed between the two reads.
      return alerts.filter(({ closedAt }) => closedAt === undefined);
    },

    async page(workspaceId, { limit, before }, signal) {
      const start = before === undefined ? undefined : alertAddress(table, workspaceId, before).key;
      // One more than asked for: it shows whether there is another page.
      const options = { ScanIndexForward: false, Limit: limit + 1, ExclusiveStartKey: start };
      const alerts: Alert[] = [];
      for await (const item of itemsBelow(workspaceId, HISTORY, options, signal)) {
        if (isKept(item)) alerts.push(toAlert(item));
        if (alerts.length > limit) break;
      }
      const page = alerts.slice(0, limit);
      return { alerts: page, next: alerts.length > limit ? page.at(-1)?.alertId : undefined };
    },

    async find(workspaceId, alertId, signal) {
      const { key } = alertAddress(table, workspaceId, alertId);
      const { Item } = await client.send(new GetCommand({ TableName: table, Key: key }), {
        abortSignal: signal,
      });
      return Item && isKept(Item) ? toAlert(Item) : undefined;
    },

    async see(workspaceId, alertId, seen, signal) {
      const command = new UpdateCommand({
        TableName: table,
        Key: alertAddress(table, workspaceId, alertId).key,
        UpdateExpression: 'SET seen = if_not_exists(seen, :seen)',
        ConditionExpression: 'attribute_exists(alertId)',
        ExpressionAttributeValues: { ':seen': seen },
        ReturnValues: 'ALL_NEW',
      });
      let item: Record<string, unknown> = {};
      const exists = await unlessConditionFails(
        client.send(command, { abortSignal: signal }).then(({ Attributes = {} }) => {
          item = Attributes;
        }),
      );
      return exists && isKept(item) ? toAlert(item) : undefined;
    },

    async settings(workspaceId, signal) {
      const { Item = {} } = await client.send(
        new GetCommand({ TableName: table, Key: { workspaceId, sk: SETTINGS }, ConsistentRead: true }),
        { abortSignal: signal },
      );
      const { workspaceId: _workspaceId, sk: _sk, v: _v, revision, ...settings } = Item;
      return { settings: { ...DEFAULT_SETTINGS, ...settings }, revision };
    },

    async changeSettings(workspaceId, settings, seen, signal) {
      const { next, condition, values } = ifUnchanged(seen);
      const command = new PutCommand({
        TableName: table,
        Item: { workspaceId, sk: SETTINGS, ...settings, revision: next, v: 1 },
        ConditionExpression: condition,
        ...(seen.revision !== undefined && { ExpressionAttributeValues: values }),
      });
      return unlessConditionFails(client.send(command, { abortSignal: signal }));
    },
  };
}

export function toAlert(item: Readonly<Record<string, unknown>>): Alert {
  const { sk: _sk, v: _version, expiresAt: _expiresAt, ...alert } = item;
  return alert as Partial<Alert> as Alert;
}
