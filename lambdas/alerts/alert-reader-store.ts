import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import { type Alert, type AlertSettings, DEFAULT_SETTINGS } from './alert.ts';
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
  settings(workspaceId: string, signal: AbortSignal): Promise<AlertSettings>;
  changeSettings(workspaceId: string, settings: AlertSettings, signal: AbortSignal): Promise<void>;
}

/** A batch takes 100 keys, and nobody reads more. */
const MOST_OPEN = 100;

export function makeAlertReader({
  client,
  tables,
  now,
}: StoreContext<'alerts'> & { readonly now: () => number }): AlertReader {
  const table = tables.alerts;
  const isKept = ({ expiresAt }: Readonly<Record<string, unknown>>) =>
    typeof expiresAt !== 'number' || expiresAt > now() / 1000;

  async function query(
    workspaceId: string,
    condition: string,
    values: object,
    options: object,
    signal: AbortSignal,
  ) {
    return client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `workspaceId = :workspaceId AND ${condition}`,
        ExpressionAttributeValues: { ':workspaceId': workspaceId, ...values },
        ...options,
      }),
      { abortSignal: signal },
    );
  }

  return {
    async open(workspaceId, signal) {
      const { Items = [] } = await query(
        workspaceId,
        'begins_with(sk, :state)',
        { ':state': STATE },
        {},
        signal,
      );
      const ids = Items.filter(({ closedAt }) => closedAt === undefined).map(({ alertId }) =>
        String(alertId),
      );
      const newest = ids.sort().reverse().slice(0, MOST_OPEN);
      const addresses = newest.map((alertId) => alertAddress(table, workspaceId, alertId));
      const found = addresses.length === 0 ? [] : await batchGet(client, addresses, signal);
      return found.flatMap((item) => (item ? toAlert(item) : []));
    },

    async page(workspaceId, { limit, before }, signal) {
      // `$` comes right after `#`.
      const [first, last] = [HISTORY, before === undefined ? 'alert$' : `${HISTORY}${before}`];
      const { Items = [], LastEvaluatedKey } = await query(
        workspaceId,
        'sk BETWEEN :first AND :last',
        { ':first': first, ':last': last },
        { ScanIndexForward: false, Limit: limit + 1 },
        signal,
      );
      const alerts = Items.filter(isKept).map(toAlert);
      const page = alerts.filter(({ alertId }) => alertId !== before).slice(0, limit);
      return { alerts: page, next: LastEvaluatedKey && page.at(-1)?.alertId };
    },

    async find(workspaceId, alertId, signal) {
      const { key } = alertAddress(table, workspaceId, alertId);
      const { Item } = await client.send(new GetCommand({ TableName: table, Key: key }), {
        abortSignal: signal,
      });
      return Item && isKept(Item) ? toAlert(Item) : undefined;
    },

    async settings(workspaceId, signal) {
      const { Item = {} } = await client.send(
        new GetCommand({ TableName: table, Key: { workspaceId, sk: SETTINGS }, ConsistentRead: true }),
        { abortSignal: signal },
      );
      const { workspaceId: _workspaceId, sk: _sk, v: _v, ...settings } = Item;
      return { ...DEFAULT_SETTINGS, ...settings };
    },

    async changeSettings(workspaceId, settings, signal) {
      const Item = { workspaceId, sk: SETTINGS, ...settings, v: 1 };
      await client.send(new PutCommand({ TableName: table, Item }), { abortSignal: signal });
    },
  };
}

export function toAlert(item: Readonly<Record<string, unknown>>): Alert {
  const { sk: _sk, v: _version, expiresAt: _expiresAt, ...alert } = item;
  return alert as Partial<Alert> as Alert;
}
