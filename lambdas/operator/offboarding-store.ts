import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, paginateQuery, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/tables.ts';
import { INDEXES, type TableNoun } from '../contract.ts';
import { recordPrefix } from '../rejections/rejection-record.ts';
import type { FormRecord } from '../settings/administration/forms-store.ts';
import type { Owners } from './owners-store.ts';
import { deleteInTransactions, deleteItems, type Key } from './table-items-store.ts';
import { makeWorkspaceContents } from './workspace-contents-store.ts';

// biome-ignore format: one line
export const REMOVED_KINDS = ['tokens', 'forms', 'secrets', 'leads', 'diagnostics', 'stats', 'owners'] as const;
export type Removed = Record<(typeof REMOVED_KINDS)[number], number>;

/** `unknown`: no such workspace, though there may have been remains of it, which are now deleted. */
export type OffboardingOutcome = 'gone' | 'unknown' | 'left' | 'resumed';

export interface Offboarding {
  /** Can be interrupted at any time and run again: it continues where it stopped. */
  run(
    workspaceId: string,
    progress: { readonly removed: Removed; readonly onStep: () => void },
    signal: AbortSignal,
  ): Promise<OffboardingOutcome>;
}

interface OffboardingContext extends StoreContext<Exclude<TableNoun, 'idempotency'>> {
  readonly now: () => number;
  /** Undefined for a stack without a user pool. */
  readonly owners: Owners | undefined;
}

/** A function's timeout: by then, everything that the gate admitted before the suspension has been written. */
const SETTLE_MS = 10_000;
/** Late writes, for example by the streams, are found in another round; endless rounds would be a defect. */
const MAX_ROUNDS = 10;
const BETWEEN_ROUNDS_MS = 300;

/**
 *   suspend ── all but forms ── settle ── all but forms ── forms ── round after round until nothing is found ── workspace
 *
 * Leads are only found through their forms, and a submission that has passed the gate may still write one, so the forms
 * are deleted after that time. The workspace goes last: an operator needs it to repeat the command.
 */
export function makeOffboarding(context: OffboardingContext): Offboarding {
  const { client, tables, now } = context;
  const contents = makeWorkspaceContents(context);

  /** Suspends the workspace and returns the time since when nothing is admitted; undefined if there is no workspace. */
  async function begin(workspaceId: string) {
    const Key = { workspaceId };
    const found = await client.send(
      new GetCommand({ TableName: tables.workspaces, Key, ConsistentRead: true }),
    );
    if (!found.Item) return undefined;
    const { status, offboardingSince } = found.Item;
    // If it was resumed in between, it has admitted leads again.
    const since = status === 'suspended' && offboardingSince ? Number(offboardingSince) : now();
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: tables.workspaces,
        Key,
        UpdateExpression: 'SET #status = :suspended, offboardingSince = :since ADD configVersion :one',
        ConditionExpression: 'attribute_exists(workspaceId)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':suspended': 'suspended', ':since': since, ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return { settledAt: since + SETTLE_MS, configVersion: Number(Attributes?.configVersion) };
  }

  async function end(workspaceId: string, configVersion: number): Promise<boolean> {
    try {
      await client.send(
        new DeleteCommand({
          TableName: tables.workspaces,
          Key: { workspaceId },
          // Resuming it in the meantime raises the version.
          ConditionExpression: 'configVersion = :version OR attribute_not_exists(workspaceId)',
          ExpressionAttributeValues: { ':version': configVersion },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  const run: Offboarding['run'] = async (workspaceId, { removed, onStep }, signal) => {
    const sweep = makeSweep(context, contents, workspaceId, signal);
    const note = (kind: keyof Removed, count: number) => {
      removed[kind] += count;
      if (count > 0) onStep();
    };
    const begun = await begin(workspaceId);
    if (begun) {
      await sweep.removeAllButForms(note);
      const wait = Math.min(SETTLE_MS, begun.settledAt - now());
      if (wait > 0) await sleep(wait, undefined, { signal });
    }
    for (let round = 1; ; round += 1) {
      const found = await sweep.removeAll(note);
      if (found === 0) break;
      if (round === MAX_ROUNDS) return 'left';
      await sleep(BETWEEN_ROUNDS_MS, undefined, { signal });
    }
    if (!begun) return 'unknown';
    return (await end(workspaceId, begun.configVersion)) ? 'gone' : 'resumed';
  };

  return { run };
}

type Note = (kind: keyof Removed, count: number) => void;

function makeSweep(
  { client, tables, owners }: OffboardingContext,
  contents: ReturnType<typeof makeWorkspaceContents>,
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

  async function partition(kind: 'diagnostics' | 'stats', note: Note) {
    const query = {
      TableName: tables[kind],
      KeyConditionExpression: 'workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
      ProjectionExpression: 'sk',
      ConsistentRead: true,
    };
    for await (const items of pages(query)) {
      const keys = items.map(({ sk }) => ({ workspaceId, sk }));
      await deleteItems(client, tables[kind], keys, signal);
      note(kind, keys.length);
    }
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

  async function removeAllButForms(note: Note): Promise<FormRecord[]> {
    const forms = await contents.listForms(workspaceId);
    const removeOwners = async () => note('owners', (await owners?.removeAll(workspaceId, signal)) ?? 0);
    await Promise.all([
      tokens(note),
      secretsOf(forms, note),
      rejections(note),
      partition('diagnostics', note),
      partition('stats', note),
      removeOwners(),
    ]);
    for (const form of forms) await leadsOf(form, note);
    return forms;
  }

  return {
    removeAllButForms,
    /** Returns how many items there were. */
    async removeAll(note: Note): Promise<number> {
      let found = 0;
      const count: Note = (kind, more) => {
        found += more;
        note(kind, more);
      };
      const forms = await removeAllButForms(count);
      const keys = forms.map(({ slug, formId }) => ({ slug, formId }));
      await deleteItems(client, tables.forms, keys, signal);
      count('forms', keys.length);
      return found;
    },
  };
}
