import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PutCommand, paginateQuery, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isConflict, type StoreContext } from '../aws/dynamodb.ts';
import type { AlertEventType } from '../sending/destination.ts';
import { type Alert, type AlertOutcome, type AlertSettings, alertKey, DEFAULT_SETTINGS } from './alert.ts';
import type { Baseline } from './baseline.ts';
import type { AlertState } from './decide.ts';

type Item = Record<string, unknown> & { readonly sk: string };

/** Sort keys: `alert#…` is the history, by the time in an alert's id. What an evaluation needs comes after it. */
export const HISTORY = 'alert#';
const BASELINE = 'baseline#';
/** The first version had one baseline per form, for all surfaces together. It is built again. */
const BASELINE_VERSION = 2;
export const SETTINGS = 'settings';
export const STATE = 'state#';

const KEPT_SECONDS = 90 * 24 * 60 * 60;

export const alertAddress = (table: string, workspaceId: string, alertId: string) => ({
  table,
  key: { workspaceId, sk: `${HISTORY}${alertId}` },
});

/** What the watch knows about a workspace before it looks at anything else. */
export interface WatchState {
  readonly settings: AlertSettings;
  readonly baselines: ReadonlyMap<string, Baseline>;
  /** When the baselines were built, in milliseconds. */
  readonly builtAt: number | undefined;
  readonly states: readonly AlertState[];
}

export interface AlertStore {
  read(workspaceId: string, signal: AbortSignal): Promise<WatchState>;
  /** False if another evaluation was faster. */
  open(alert: Alert, seen: AlertState | undefined, signal: AbortSignal): Promise<boolean>;
  /** False if another evaluation was faster. */
  close(alert: ClosedAlert, seen: AlertState, signal: AbortSignal): Promise<boolean>;
  /** Its events are on the queue. */
  announced(
    workspaceId: string,
    state: Pick<AlertState, 'alertId' | 'kind' | 'subject'>,
    events: readonly AlertEventType[],
    signal: AbortSignal,
  ): Promise<void>;
  keepBaselines(
    workspaceId: string,
    baselines: readonly Baseline[],
    nowMilliseconds: number,
    signal: AbortSignal,
  ): Promise<void>;
}

export type ClosedAlert = Pick<Alert, 'workspaceId' | 'alertId' | 'kind' | 'subject' | 'closed'> & {
  readonly closedAt: string;
  readonly outcome: AlertOutcome;
};

export function makeAlertStore({ client, tables }: StoreContext<'alerts'>): AlertStore {
  const table = tables.alerts;

  async function transact(
    items: NonNullable<ConstructorParameters<typeof TransactWriteCommand>[0]['TransactItems']>,
    signal: AbortSignal,
  ) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items }), { abortSignal: signal });
      return true;
    } catch (error) {
      // Somebody else decided the same at the same moment.
      if (error instanceof TransactionCanceledException && !isThrottled(error)) return false;
      throw error;
    }
  }

  return {
    async read(workspaceId, signal) {
      const items: Item[] = [];
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          KeyConditionExpression: 'workspaceId = :workspaceId AND sk >= :first',
          ExpressionAttributeValues: { ':workspaceId': workspaceId, ':first': BASELINE },
          ConsistentRead: true,
        },
        { abortSignal: signal },
      );
      for await (const { Items = [] } of pages) items.push(...(Items as Item[]));
      return toState(items);
    },

    open(alert, seen, signal) {
      const { workspaceId, alertId, kind, subject, since, openedAt, facts } = alert;
      const state = {
        workspaceId,
        sk: stateKey(alert),
        alertId,
        kind,
        subject,
        since,
        openedAt,
        facts,
        pending: ['alert.opened'],
        v: 1,
      };
      return transact(
        [
          {
            Put: {
              TableName: table,
              Item: defined(state),
              ConditionExpression: seen
                ? 'alertId = :seen AND attribute_exists(closedAt)'
                : 'attribute_not_exists(sk)',
              ...(seen && { ExpressionAttributeValues: { ':seen': seen.alertId } }),
            },
          },
          { Put: { TableName: table, Item: defined({ ...alert, sk: `${HISTORY}${alertId}`, v: 1 }) } },
        ],
        signal,
      );
    },

    close({ workspaceId, alertId, kind, subject, closedAt, outcome, closed }, seen, signal) {
      const expiresAt = Math.ceil(Date.parse(closedAt) / 1000) + KEPT_SECONDS;
      const pending = [...(seen.pending ?? []), ...(outcome === 'superseded' ? [] : ['alert.closed'])];
      const values = { ':closedAt': closedAt, ':expiresAt': expiresAt };
      return transact(
        [
          {
            Update: {
              TableName: table,
              Key: { workspaceId, sk: stateKey({ kind, subject }) },
              UpdateExpression: 'SET closedAt = :closedAt, expiresAt = :expiresAt, pending = :pending',
              ConditionExpression: 'alertId = :alertId AND attribute_not_exists(closedAt)',
              ExpressionAttributeValues: { ...values, ':pending': pending, ':alertId': alertId },
            },
          },
          {
            Update: {
              TableName: table,
              Key: { workspaceId, sk: `${HISTORY}${alertId}` },
              UpdateExpression:
                'SET closedAt = :closedAt, expiresAt = :expiresAt, outcome = :outcome, closed = :closed',
              ExpressionAttributeValues: { ...values, ':outcome': outcome, ':closed': closed },
            },
          },
        ],
        signal,
      );
    },

    async announced(workspaceId, state, events, signal) {
      await client
        .send(
          new UpdateCommand({
            TableName: table,
            Key: { workspaceId, sk: stateKey(state) },
            UpdateExpression: 'REMOVE pending',
            ConditionExpression: 'alertId = :alertId AND pending = :events',
            ExpressionAttributeValues: { ':alertId': state.alertId, ':events': [...events] },
          }),
          { abortSignal: signal },
        )
        .catch((error: Error) => {
          // More has happened since: the next evaluation announces it again.
          if (error.name !== 'ConditionalCheckFailedException') throw error;
        });
    },

    async keepBaselines(workspaceId, baselines, nowMilliseconds, signal) {
      const items = [
        ...baselines.map(({ formSurface, ...baseline }) => ({
          sk: `${BASELINE}${formSurface}`,
          ...baseline,
        })),
        { sk: BASELINE, builtAt: nowMilliseconds },
      ];
      for (const item of items) {
        const Item = {
          workspaceId,
          ...item,
          expiresAt: Math.ceil(nowMilliseconds / 1000) + KEPT_SECONDS,
          v: BASELINE_VERSION,
        };
        await client.send(new PutCommand({ TableName: table, Item }), { abortSignal: signal });
      }
    },
  };
}

const stateKey = (of: Pick<AlertState, 'kind' | 'subject'>) => `${STATE}${alertKey(of)}`;

/** DynamoDB stores no undefined values, also not inside of maps. */
function defined<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

function isThrottled(error: TransactionCanceledException): boolean {
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  return !isConflict(error) && !codes.includes('ConditionalCheckFailed');
}

function toState(items: readonly Item[]): WatchState {
  const baselines = new Map<string, Baseline>();
  const states: AlertState[] = [];
  let [settings, builtAt]: [AlertSettings, number | undefined] = [DEFAULT_SETTINGS, undefined];
  for (const { workspaceId: _workspaceId, sk, v, expiresAt: _expiresAt, ...item } of items) {
    if (sk.startsWith(BASELINE)) {
      if (v !== BASELINE_VERSION) continue;
      const formSurface = sk.slice(BASELINE.length);
      if (formSurface === '') builtAt = item.builtAt as number;
      else baselines.set(formSurface, { formSurface, ...item } as Partial<Baseline> as Baseline);
    } else if (sk.startsWith(STATE)) states.push(item as Partial<AlertState> as AlertState);
    else if (sk === SETTINGS) settings = { ...DEFAULT_SETTINGS, ...item };
  }
  return { settings, baselines, builtAt, states };
}
