import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import type { TableKey } from '../contract.ts';
import { hasExpired } from '../model/lead-item.ts';
import { countedMark } from '../stats/stats-items.ts';
import { makeCountedMarks } from './restore-counted-store.ts';
import { groupsOf, type Item, inParallel, isLearned } from './table-items-store.ts';

/**
 * What a backup contains, in the order of a restore. A submission is accepted as soon as its workspace exists, so the
 * answered keys, the counters, the open alerts and the destinations must be back by then. Leads may take hours.
 */
export const BACKED_UP = [
  ...(['idempotency', 'stats', 'alerts', 'formSecrets', 'destinationSecrets'] as const),
  // Before the destinations: nothing may be mailed to somebody who stopped it.
  ...(['recipients', 'destinations'] as const),
  ...(['forms', 'tokens', 'members', 'apiKeys', 'activity', 'workspaces', 'leads'] as const),
] satisfies TableKey[];
export type BackedUp = (typeof BACKED_UP)[number];

const KEY_NAMES: Readonly<Record<BackedUp, readonly string[]>> = {
  idempotency: ['keyHash'],
  stats: ['workspaceId', 'sk'],
  alerts: ['workspaceId', 'sk'],
  formSecrets: ['slug', 'formId'],
  destinationSecrets: ['destinationId'],
  destinations: ['workspaceId', 'destinationId'],
  forms: ['slug', 'formId'],
  tokens: ['tokenHash'],
  members: ['workspaceId', 'memberId'],
  apiKeys: ['keyHash'],
  activity: ['workspaceId', 'activityId'],
  recipients: ['recipientKey'],
  workspaces: ['workspaceId'],
  leads: ['leadId', 'part'],
};

/** The result for one table. */
export interface RestoreTally {
  restored: number;
  /** Items that exist already, perhaps in a newer state. They are not changed. */
  present: number;
  /** Past their time. */
  expired: number;
  /** Notes of erasures. Put back, they would announce the erasure again. */
  erasureNotes?: number;
}

export interface Restorer {
  /** @param takenAt when the copy was taken that the items come from. */
  put(
    tableKey: BackedUp,
    items: readonly Item[],
    takenAt: number,
    tally: RestoreTally,
    signal: AbortSignal,
  ): Promise<void>;
}

interface RestorerContext extends StoreContext<BackedUp> {
  readonly now: () => number;
}

/** As many keys as one batch reads. */
const BATCH_SIZE = 100;

/**
 * Writes items that are missing and changes none that exist: it can be repeated, interrupted at any time, and run while
 * leads come in.
 *
 * To the stream, a restored lead is a new one: it would be counted and enriched again. So its enrichment and its
 * "counted" mark are restored first.
 */
export function makeRestorer({ client, tables, now }: RestorerContext): Restorer {
  const markCounted = makeCountedMarks({ client, tables, now });

  async function missing(tableKey: BackedUp, items: readonly Item[], signal: AbortSignal): Promise<Item[]> {
    const names = KEY_NAMES[tableKey];
    const keyOf = (item: Item) =>
      Object.fromEntries(names.map((name) => [name, item[name]])) as Record<string, string>;
    const addresses = items.map((item) => ({ table: tables[tableKey], key: keyOf(item), attributes: names }));
    const there = await batchGet(client, addresses, signal);
    return items.filter((_, index) => there[index] === undefined);
  }

  async function putMissing(
    tableKey: BackedUp,
    items: readonly Item[],
    tally: RestoreTally,
    signal: AbortSignal,
  ) {
    await inParallel(items, async (item) => {
      try {
        await client.send(
          new PutCommand({
            TableName: tables[tableKey],
            Item: item,
            ConditionExpression: `attribute_not_exists(${KEY_NAMES[tableKey][0]})`,
          }),
          { abortSignal: signal },
        );
        tally.restored += 1;
      } catch (error) {
        // Somebody else was faster, or an attempt of ours whose response was lost.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        tally.present += 1;
      }
    });
  }

  /**
   * A restored form may share its slug with another. A warm function that has cached the other's configuration notices
   * only by the version. Forms that existed already are included: the run before may have ended too early.
   */
  async function announceAmbiguousSlugs(forms: readonly Item[], signal: AbortSignal) {
    const concerned = new Set<string>();
    await inParallel([...new Set(forms.map(({ slug }) => slug as string))], async (slug) => {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tables.forms,
          KeyConditionExpression: 'slug = :slug',
          ExpressionAttributeValues: { ':slug': slug },
          ProjectionExpression: 'workspaceId',
          ConsistentRead: true,
        }),
        { abortSignal: signal },
      );
      if (Items.length > 1) for (const { workspaceId } of Items) concerned.add(workspaceId as string);
    });
    await inParallel([...concerned], async (workspaceId) => {
      try {
        await client.send(
          new UpdateCommand({
            TableName: tables.workspaces,
            Key: { workspaceId },
            UpdateExpression: 'ADD configVersion :one',
            ConditionExpression: 'attribute_exists(workspaceId)',
            ExpressionAttributeValues: { ':one': 1 },
          }),
          { abortSignal: signal },
        );
      } catch (error) {
        // The workspace is not restored yet, so no function has cached its configuration.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    });
  }

  async function putGroup(
    tableKey: BackedUp,
    group: readonly Item[],
    takenAt: number,
    tally: RestoreTally,
    signal: AbortSignal,
  ) {
    const absent = await missing(tableKey, group, signal);
    tally.present += group.length - absent.length;
    if (tableKey !== 'leads') return putMissing(tableKey, absent, tally, signal);
    const leads = absent.filter(({ part }) => part === 'lead');
    const enrichments = absent.filter(({ part }) => part !== 'lead');
    await Promise.all([
      putMissing(tableKey, enrichments, tally, signal),
      leads.length > 0 && markCounted(leads, takenAt, signal),
    ]);
    return putMissing(tableKey, leads, tally, signal);
  }

  return {
    async put(tableKey, items, takenAt, tally, signal) {
      // Tables that AWS has restored have everything.
      const kept = items.filter((item) => !isLearned(item));
      const given = kept.filter((item) => !isErasureNote(tableKey, item));
      const notes = kept.length - given.length;
      if (notes > 0) tally.erasureNotes = (tally.erasureNotes ?? 0) + notes;
      const live = given
        .map((item) => renewed(tableKey, item, now()))
        .filter((item) => !hasExpired(item, now()));
      tally.expired += given.length - live.length;
      for (const group of groupsOf(live, BATCH_SIZE)) {
        await putGroup(tableKey, group, takenAt, tally, signal);
        if (tableKey === 'forms') await announceAmbiguousSlugs(group, signal);
      }
    },
  };
}

function isErasureNote(tableKey: BackedUp, { part }: Item): boolean {
  return tableKey === 'leads' && part === 'erased';
}

/**
 * The mark of a counted lead is needed for as long as the stream may deliver the lead. What was to be announced about an
 * alert when the copy was taken has been announced since, or is too old.
 */
function renewed(tableKey: BackedUp, item: Item, nowMilliseconds: number): Item {
  if (tableKey === 'leads' && item.part === 'review') {
    // Restored with it, the review would announce the lead again.
    const { madeClean: _madeClean, ...review } = item;
    return review;
  }
  if (tableKey === 'alerts') {
    const { pending: _pending, ...alert } = item;
    return alert;
  }
  const [, leadId] = /^counted#(.+)$/.exec(String(item.sk)) ?? [];
  if (tableKey !== 'stats' || leadId === undefined) return item;
  return { ...item, ...countedMark({ workspaceId: item.workspaceId as string, leadId }, nowMilliseconds) };
}
