import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, readBackwards, type StoreContext } from '../../aws/dynamodb.ts';
import { INDEXES } from '../../contract.ts';
import { type AnySurface, rateWindowsAt } from '../../model/limits.ts';
import { KEY_REUSED } from '../../model/reasons.ts';
import { minuteOf } from '../../model/time-buckets.ts';
import { countersOf, EVENT_PREFIX, readCounterKey } from '../../rejections/diagnostics-items.ts';
import { largestSkew } from '../../rejections/last-use-store.ts';
import { hourKeys, hourOfKey } from '../../rejections/rejection-counts.ts';
import { makeDestinationReader } from '../../sending/destinations-store.ts';
import { healthAddress } from '../../sending/health-store.ts';
import { rejectionsNeededSince } from '../sender-rules.ts';
import {
  DAY,
  MINUTE,
  type RecentRejection,
  type RejectionTally,
  type SenderUse,
  type Snapshot,
  type WatchedDestination,
} from '../snapshot.ts';
import { type HourReader, makeHourReader } from './read-hours-store.ts';

/** All that rules need, except for the baselines. Undefined for a workspace that is suspended or gone. */
export type WorkspaceFacts = Omit<Snapshot, 'baselines'>;

export interface WatchedForm {
  readonly formId: string;
  readonly name: string;
  readonly active: boolean;
  readonly archived: boolean;
  /** When its secret was set or rotated, or its previous one ended by the owner. */
  readonly secretChangedAt?: number | undefined;
}

export interface WorkspaceReader extends HourReader {
  facts(workspaceId: string, now: number, signal: AbortSignal): Promise<WorkspaceFacts | undefined>;
  /** Read only while something is wrong. */
  forms(workspaceId: string, signal: AbortSignal): Promise<Map<string, WatchedForm>>;
  /** The names of server tokens by id. */
  tokenNames(workspaceId: string, signal: AbortSignal): Promise<Map<string, string>>;
}

type Keys = 'workspaces' | 'diagnostics' | 'stats' | 'destinations' | 'messages' | 'forms' | 'tokens';
type Item = Record<string, unknown> & { readonly sk: string };

/** A sender that has been silent for longer goes on being rejected. */
const REJECTIONS_BACK = 2 * DAY;
const MAX_EVENTS = 100;

export function makeWorkspaceReader({ client, tables }: StoreContext<Keys>): WorkspaceReader {
  const destinations = makeDestinationReader({ client, tables });

  async function query(
    table: string,
    workspaceId: string,
    prefix: string,
    signal: AbortSignal,
  ): Promise<Item[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':workspaceId': workspaceId, ':prefix': prefix },
      }),
      { abortSignal: signal },
    );
    return Items as Item[];
  }

  async function readUsage(workspaceId: string, now: number, signal: AbortSignal) {
    const get = new GetCommand({ TableName: tables.workspaces, Key: { workspaceId }, ConsistentRead: true });
    const { Item } = await client.send(get, { abortSignal: signal });
    if (Item?.status !== 'active') return undefined;
    const use = (surface: AnySurface) => Number(Item[rateWindowsAt(surface, now).dayCounter] ?? 0);
    return { '1a': use('1a'), '1b': use('1b'), '1c': use('1c'), '2': use('2') };
  }

  async function readDestinations(workspaceId: string, signal: AbortSignal): Promise<WatchedDestination[]> {
    const found = await destinations.list(workspaceId, signal);
    const addresses = found.map(({ destinationId }) => healthAddress(tables.messages, destinationId));
    const health = addresses.length === 0 ? [] : await batchGet(client, addresses, signal);
    return found.map(({ destinationId, name, status, disabledReason, disabledAt, heldSince }, index) => ({
      destinationId,
      name,
      status,
      disabledReason,
      disabledAt: disabledAt === undefined ? undefined : Date.parse(disabledAt),
      failingSince: toMoment(health[index]?.failingSince),
      slowSince: toMoment(health[index]?.strainedAt),
      lastSlowAt: toMoment(health[index]?.lastSlowAt),
      heldSince: toMoment(heldSince),
      untried: health[index]?.untriedSince !== undefined,
    }));
  }

  async function readRejections(workspaceId: string, from: number, now: number, signal: AbortSignal) {
    const range = { from, to: now + 1 };
    const tallies: RejectionTally[] = [];
    const keys = hourKeys('rejected', range);
    await readBackwards(
      client,
      { table: tables.diagnostics, workspaceId, keys },
      (item) => {
        tallies.push(...toTallies(item));
        return true;
      },
      signal,
    );
    return tallies.filter(({ at }) => at >= from - MINUTE && at <= now);
  }

  async function readRecent(workspaceId: string, from: number, now: number, signal: AbortSignal) {
    const recent: RecentRejection[] = [];
    let looked = 0;
    const keys = [`${EVENT_PREFIX}#${minuteOf(from)}`, `${EVENT_PREFIX}#${minuteOf(now)}$`] as const;
    await readBackwards(
      client,
      { table: tables.diagnostics, workspaceId, keys },
      (item) => {
        looked += 1;
        recent.push(...toRecent(item));
        return looked < MAX_EVENTS;
      },
      signal,
    );
    return recent;
  }

  return {
    async facts(workspaceId, now, signal) {
      const [uses, used, watched] = await Promise.all([
        query(tables.diagnostics, workspaceId, 'use#', signal),
        readUsage(workspaceId, now, signal),
        readDestinations(workspaceId, signal),
      ]);
      if (!used) return undefined;
      const senders = uses.flatMap(toSender);
      const refused = uses.flatMap(toRefused);
      const since = rejectionsNeededSince({ senders, refused }, now);
      const from = since === undefined ? undefined : Math.max(since, now - REJECTIONS_BACK);
      const rejections = from === undefined ? [] : await readRejections(workspaceId, from, now, signal);
      const recent =
        from === undefined || rejections.length === 0 ? [] : await readRecent(workspaceId, from, now, signal);
      return { senders, used, destinations: watched, rejections, recent, refused };
    },

    ...makeHourReader({ client, tables }),

    async forms(workspaceId, signal) {
      const items = await queryIndex(tables.forms, INDEXES.formsByWorkspace, workspaceId, signal);
      return new Map(
        items.map(({ formId, name, active, archivedAt, secretChangedAt }) => {
          const form = {
            formId: String(formId),
            name: String(name),
            active: active === true,
            archived: archivedAt !== undefined,
            secretChangedAt: toMoment(secretChangedAt),
          };
          return [form.formId, form];
        }),
      );
    },

    async tokenNames(workspaceId, signal) {
      const items = await queryIndex(tables.tokens, INDEXES.tokensByWorkspace, workspaceId, signal);
      return new Map(items.map(({ tokenId, name }) => [String(tokenId), String(name ?? '')]));
    },
  };

  async function queryIndex(table: string, IndexName: string, workspaceId: string, signal: AbortSignal) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName,
        KeyConditionExpression: 'workspaceId = :workspaceId',
        ExpressionAttributeValues: { ':workspaceId': workspaceId },
      }),
      { abortSignal: signal },
    );
    return Items;
  }
}

/** Unless it was written before uses had a form: `use#token#…`, `use#secret#<form>#current`. */
function toSender(item: Item): SenderUse[] {
  const { sk, lastUsedAt, formId, endsAt, surface } = item;
  const sender = sk.slice('use#'.length);
  // Its secret is right, but no lead came of it: a provider that sends nothing else has fallen silent.
  if (/^(ignored|refused)#/.test(sender)) return [];
  const form =
    formId ?? (sender.startsWith('secret#') ? sender.split('#').slice(1, -1).join('#') : undefined);
  const at = toMoment(lastUsedAt);
  if (typeof form !== 'string' || at === undefined) return [];
  return [
    {
      sender,
      ...(typeof surface === 'string' && { surface: surface as AnySurface }),
      formId: form,
      lastUsedAt: at,
      skewSeconds: largestSkew(item),
      endsAt: typeof endsAt === 'number' ? endsAt : undefined,
    },
  ];
}

function toRefused({ sk, lastUsedAt, formId }: Item): Snapshot['refused'] {
  const at = toMoment(lastUsedAt);
  return sk.startsWith('use#refused#') && at !== undefined ? [{ formId: String(formId), at }] : [];
}

function toTallies(item: Item): RejectionTally[] {
  const { formId, surface, reason, authenticated } = readCounterKey(item.sk);
  if (formId === undefined || reason === KEY_REUSED) return [];
  const hour = hourOfKey(item.sk);
  return countersOf(item).map(({ minute, count }) => ({
    at: hour + minute * MINUTE,
    formId,
    surface: surface as AnySurface,
    reason,
    authenticated,
    count,
  }));
}

/** This mistake proves nothing about the sender: anybody can sign with an empty secret. */
const PROVES_NOTHING = 'secret_empty';

function toRecent({ at, formId, surface, reason, authenticated, detail }: Item): RecentRejection[] {
  if (typeof formId !== 'string') return [];
  const mistake = (detail as Record<string, unknown> | undefined)?.likelyMistake;
  return [
    {
      at: Date.parse(String(at)),
      formId,
      surface: surface as AnySurface,
      reason: String(reason),
      authenticated: authenticated === true,
      ...(typeof mistake === 'string' && mistake !== PROVES_NOTHING && { mistake }),
    },
  ];
}

function toMoment(text: unknown): number | undefined {
  const at = Date.parse(String(text));
  return Number.isNaN(at) ? undefined : at;
}
