import { paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import { INDEXES, type TableNoun } from '../contract.ts';
import { recordPrefix } from '../rejections/rejection-record.ts';
import { makeDestinationKeeper, makeDestinationReader } from '../sending/destinations-store.ts';
import type { FormRecord } from '../settings/administration/forms-store.ts';
import { activeMarkKey } from '../stats/active-workspaces-store.ts';
import type { Owners } from './owners-store.ts';
import { deleteInTransactions, deleteItems, type Key } from './table-items-store.ts';
import type { WorkspaceContents } from './workspace-contents-store.ts';

export const REMOVED_KINDS = [
  ...(['tokens', 'forms', 'secrets', 'leads', 'diagnostics', 'stats', 'alerts'] as const),
  ...(['destinations', 'messages', 'owners', 'members'] as const),
] as const;
export type Removed = Record<(typeof REMOVED_KINDS)[number], number>;

export interface OffboardingContext extends StoreContext<Exclude<TableNoun, 'idempotency'>> {
  readonly now: () => number;
  /** Undefined for a stack without a user pool. */
  readonly owners: Owners | undefined;
}

type Note = (kind: keyof Removed, count: number) => void;

/** Deletes what belongs to a workspace. Everything can be repeated. */
export function makeSweep(
  { client, tables, owners }: OffboardingContext,
  contents: WorkspaceContents,
  destinations: DestinationSweep,
  workspaceId: string,
  signal: AbortSignal,
) {
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
      // In one transaction: an enrichment without its lead could never be found again. Only clean leads have one.
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

  async function partition(kind: 'diagnostics' | 'stats' | 'alerts' | 'members', note: Note, sortKey = 'sk') {
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

  /** Without it, nobody watches the workspace for alerts. */
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

  /** All but the forms and the destinations. */
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
      activeMark(note),
      removeOwners(),
      destinations.removeMessages().then((count) => note('messages', count)),
    ]);
    for (const form of forms) await leadsOf(form, note);
    return forms;
  }

  return {
    removeContents,
    /** Returns how many items there were. */
    async removeAll(note: Note): Promise<number> {
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
    },
  };
}

/** The send function's timeout: by then, everything that was being sent before the pause has been written down. */
export const SENDING_SETTLES_MS = 30_000;

export interface DestinationSweep {
  /** Stops sending to all destinations. Returns how many there are, and how many of them were not paused yet. */
  pauseAll(): Promise<{ readonly all: number; readonly paused: number }>;
  /** What was sent, and the health of destinations. Returns how many messages there were. */
  removeMessages(): Promise<number>;
  /** With their secrets. Returns how many there were. */
  removeAll(): Promise<number>;
}

/**
 * Messages are only found through their destinations, so these stay until nothing is being sent any more. A paused
 * destination still parks messages; one that was deleted gets none.
 */
export function makeDestinationSweep(
  { client, tables }: StoreContext<'destinations' | 'destinationSecrets' | 'messages'>,
  workspaceId: string,
  signal: AbortSignal,
): DestinationSweep {
  const reader = makeDestinationReader({ client, tables });
  const keeper = makeDestinationKeeper({ client, tables });
  /** Also of destinations that are deleted already: a message may have been written meanwhile. */
  const known = new Set<string>();

  async function list() {
    const destinations = await reader.list(workspaceId, signal);
    for (const { destinationId } of destinations) known.add(destinationId);
    return destinations;
  }

  async function removeMessagesOf(destinationId: string): Promise<number> {
    const query = {
      TableName: tables.messages,
      KeyConditionExpression: 'destinationId = :destinationId',
      ExpressionAttributeValues: { ':destinationId': destinationId },
      ProjectionExpression: 'sk, leadId',
      ConsistentRead: true,
    };
    let removed = 0;
    for await (const { Items = [] } of paginateQuery({ client }, query)) {
      signal.throwIfAborted();
      const keys = Items.map(({ sk }) => ({ destinationId, sk }));
      if (keys.length > 0) await deleteItems(client, tables.messages, keys, signal);
      removed += Items.filter(({ leadId }) => leadId !== undefined).length;
    }
    return removed;
  }

  return {
    async pauseAll() {
      let paused = 0;
      for (;;) {
        const destinations = await list();
        const active = destinations.filter(({ status }) => status !== 'paused');
        if (active.length === 0) return { all: destinations.length, paused };
        // Whatever changed since it was read is read again.
        for (const seen of active) if (await keeper.change(seen, { status: 'paused' }, signal)) paused += 1;
      }
    },

    async removeMessages() {
      await list();
      let removed = 0;
      for (const destinationId of known) removed += await removeMessagesOf(destinationId);
      return removed;
    },

    async removeAll() {
      const destinations = await list();
      for (const { destinationId } of destinations) await keeper.remove(workspaceId, destinationId, signal);
      return destinations.length;
    },
  };
}
