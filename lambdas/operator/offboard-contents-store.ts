import { paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import { INDEXES, type TableKey } from '../contract.ts';
import { recordPrefix } from '../rejections/rejection-record.ts';
import { activeMarkKey } from '../stats/active-workspaces-store.ts';
import type { FormRecord } from '../workspaces/forms-store.ts';
import type { DestinationSweep } from './destination-sweep-store.ts';
import { removeFromIndex } from './indexed-leads-store.ts';
import {
  removeLearned,
  removeRemainsOfLeads,
  removeReviewedLeads,
  removeSenderList,
} from './offboard-reviews-store.ts';
import type { Owners } from './owners-store.ts';
import { deleteInTransactions, deleteItems, type Key } from './table-items-store.ts';
import type { WorkspaceContents } from './workspace-contents-store.ts';

export const REMOVED_KINDS = [
  ...(['tokens', 'forms', 'secrets', 'leads', 'diagnostics', 'stats', 'alerts'] as const),
  ...([
    'searchEntries',
    'destinations',
    'messages',
    'owners',
    'members',
    'apiKeys',
    'activity',
    'senders',
    'learned',
    'recipients',
  ] as const),
] as const;
export type Removed = Record<(typeof REMOVED_KINDS)[number], number>;

export interface OffboardingContext extends StoreContext<Exclude<TableKey, 'idempotency'>> {
  readonly now: () => number;
  /** Undefined for a stack without a user pool. */
  readonly owners: Owners | undefined;
  /** Shorter only for a workspace that nobody else has sent to. */
  readonly forgottenAfterMilliseconds?: number | undefined;
  /** False for such a workspace as well: what only a scan of all leads finds has ids alone, and expires. */
  readonly scansLeads?: boolean;
}

export type Note = (kind: keyof Removed, count: number) => void;

/** Deletes what belongs to a workspace. Everything can be repeated. */
export function makeSweep(
  context: OffboardingContext,
  contents: WorkspaceContents,
  destinations: DestinationSweep,
  workspaceId: string,
  signal: AbortSignal,
) {
  const { client, tables, owners } = context;

  async function* pages(query: Omit<Parameters<typeof paginateQuery>[1], 'Select'>) {
    for await (const { Items = [] } of paginateQuery({ client }, query)) {
      signal.throwIfAborted();
      if (Items.length > 0) yield Items;
    }
  }

  async function tokens(note: Note) {
    const found = await contents.listTokens(workspaceId);
    const keys = found.map(({ tokenHash }) => ({ tokenHash }));
    await deleteItems(client, tables.tokens, keys, signal);
    note('tokens', keys.length);
  }

  async function apiKeys(note: Note) {
    const query = {
      TableName: tables.apiKeys,
      IndexName: INDEXES.apiKeysByWorkspace,
      KeyConditionExpression: 'workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
      ProjectionExpression: 'keyHash',
    };
    for await (const items of pages(query)) {
      const keys = items.map(({ keyHash }) => ({ keyHash }));
      await deleteItems(client, tables.apiKeys, keys, signal);
      note('apiKeys', keys.length);
    }
  }

  async function leadsOf({ formId }: FormRecord, note: Note) {
    const query = {
      TableName: tables.leads,
      IndexName: INDEXES.leadsByForm,
      KeyConditionExpression: 'formId = :formId',
      FilterExpression: 'workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':formId': formId, ':workspaceId': workspaceId },
      ProjectionExpression: 'leadId, clean',
    };
    for await (const items of pages(query)) {
      const key = (leadId: unknown, part: string): Key => ({ leadId, part });
      const clean = items.filter((each) => each.clean === true);
      // In one transaction: an enrichment without its lead could never be found again. Only clean leads and
      // reviewed ones have one, and the latter are gone by now.
      await Promise.all([
        deleteInTransactions(
          client,
          tables.leads,
          clean.map(({ leadId }) => [key(leadId, 'lead'), key(leadId, 'enrichment')]),
          signal,
        ),
        deleteItems(
          client,
          tables.leads,
          items.filter((each) => each.clean !== true).map(({ leadId }) => key(leadId, 'lead')),
          signal,
        ),
      ]);
      note('leads', items.length);
    }
  }

  async function secretsOf(forms: readonly FormRecord[], note: Note) {
    const secrets = (await contents.readSecrets(forms, signal)).filter((secret) => secret !== undefined);
    const keys = secrets.map(({ slug, formId }) => ({ slug, formId }));
    await deleteItems(client, tables.formSecrets, keys, signal);
    note('secrets', keys.length);
  }

  async function partition(
    kind: 'diagnostics' | 'stats' | 'alerts' | 'members' | 'activity',
    note: Note,
    sortKey = 'sk',
  ) {
    const query = {
      TableName: tables[kind],
      KeyConditionExpression: 'workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
      ProjectionExpression: sortKey,
      ConsistentRead: true,
    };
    for await (const items of pages(query)) {
      const keys = items.map((item) => ({ workspaceId, [sortKey]: item[sortKey] }));
      await deleteItems(client, tables[kind], keys, signal);
      note(kind, keys.length);
    }
  }

  /** Without this mark, the watch skips the workspace. */
  async function activeMark(note: Note) {
    const key = activeMarkKey(workspaceId);
    const [found] = await batchGet(client, [{ table: tables.stats, key }], signal);
    if (!found) return;
    await deleteItems(client, tables.stats, [key], signal);
    note('stats', 1);
  }

  /** These have no index by workspace, so the whole tables are read: they hold 30 days and one day. */
  async function rejections(note: Note) {
    for (const table of [tables.rejections, tables.unauthenticatedRejections]) {
      const scan = {
        TableName: table,
        FilterExpression: 'begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':prefix': recordPrefix(workspaceId) },
        ProjectionExpression: 'requestId, sk',
        ConsistentRead: true,
      };
      for await (const { Items = [] } of paginateScan({ client }, scan)) {
        signal.throwIfAborted();
        const keys = Items.map(({ requestId, sk }) => ({ requestId, sk }));
        if (keys.length > 0) await deleteItems(client, table, keys, signal);
        note('diagnostics', keys.length);
      }
    }
  }

  /** The links in mails, and who stopped those of this workspace. Who wants no mail at all stays known. */
  async function recipients(note: Note) {
    const scan = {
      TableName: tables.recipients,
      FilterExpression: 'workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
      ProjectionExpression: 'recipientKey',
      ConsistentRead: true,
    };
    for await (const { Items = [] } of paginateScan({ client }, scan)) {
      signal.throwIfAborted();
      const keys = Items.map(({ recipientKey }) => ({ recipientKey }));
      if (keys.length > 0) await deleteItems(client, tables.recipients, keys, signal);
      note('recipients', keys.length);
    }
  }

  /**
   * Only once all leads are gone, and nobody indexes one any more: entries of people are found by their list entry, which
   * is written before them.
   */
  async function searchEntries(note: Note): Promise<number> {
    let found = 0;
    for await (const count of removeFromIndex({ client, tables }, workspaceId, signal)) {
      note('searchEntries', count);
      found += count;
    }
    return found;
  }

  /** All but the forms, the destinations and the search index. */
  async function removeContents(note: Note): Promise<FormRecord[]> {
    const forms = await contents.listForms(workspaceId);
    const removeOwners = async () => note('owners', (await owners?.removeAll(workspaceId, signal)) ?? 0);
    await Promise.all([
      tokens(note),
      secretsOf(forms, note),
      rejections(note),
      partition('diagnostics', note),
      partition('stats', note),
      partition('alerts', note),
      partition('members', note, 'memberId'),
      partition('activity', note, 'activityId'),
      apiKeys(note),
      recipients(note),
      activeMark(note),
      removeSenderList(context, workspaceId, signal).then((count) => note('senders', count)),
      removeLearned(context, workspaceId, signal).then((count) => note('learned', count)),
      removeOwners(),
      destinations.removeMessages().then((count) => note('messages', count)),
    ]);
    note('leads', await removeReviewedLeads(context, workspaceId, signal));
    for (const form of forms) await leadsOf(form, note);
    return forms;
  }

  /** Returns how many items there were. */
  async function removeAll(note: Note): Promise<number> {
    let found = 0;
    const count: Note = (kind, more) => {
      found += more;
      note(kind, more);
    };
    const forms = await removeContents(count);
    const keys = forms.map(({ slug, formId }) => ({ slug, formId }));
    await deleteItems(client, tables.forms, keys, signal);
    count('forms', keys.length);
    count('destinations', await destinations.removeAll());
    return found;
  }

  return {
    removeContents,
    removeAll,
    /** Also the search index, and what only a scan finds. Returns how many items there were. */
    async removeEveryTrace(note: Note): Promise<number> {
      const remains = () => removeRemainsOfLeads(context, workspaceId, signal);
      const found = (await removeAll(note)) + (context.scansLeads === false ? 0 : await remains());
      return found + (await searchEntries(note));
    },
  };
}
