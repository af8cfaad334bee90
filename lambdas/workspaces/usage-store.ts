import { GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import type { Workspace } from '../model/configuration.ts';
import { ALL_SURFACES, LIMITS, rateWindowsAt } from '../model/limits.ts';
import { makeRejectionEvents } from '../rejections/rejection-events-store.ts';
import type { ListedForm } from './forms-store.ts';
import type { LastUses, SecretDates, WindowUse, WorkspaceUsage } from './views.ts';

export interface SecretDatesReader {
  /** In the order given; undefined for a form without a secret. The secrets themselves are not read. */
  read(
    forms: readonly Pick<ListedForm, 'slug' | 'formId'>[],
    signal: AbortSignal,
  ): Promise<(SecretDates | undefined)[]>;
}

/** A batch takes 100 keys. */
const FORMS_IN_A_BATCH = 100;
const ATTRIBUTES = ['slug', 'formId', 'setAt', 'previousEndsAtMilliseconds'];

export function makeSecretDates({ client, tables }: StoreContext<'formSecrets'>): SecretDatesReader {
  return {
    async read(forms, signal) {
      const addresses = forms.map(({ slug, formId }) => ({
        table: tables.formSecrets,
        key: { slug, formId },
        attributes: ATTRIBUTES,
      }));
      const batches: Promise<(Record<string, unknown> | undefined)[]>[] = [];
      for (let from = 0; from < addresses.length; from += FORMS_IN_A_BATCH) {
        const batch = addresses.slice(from, from + FORMS_IN_A_BATCH);
        batches.push(batchGet(client, batch, signal));
      }
      return (await Promise.all(batches)).flat() as (SecretDates | undefined)[];
    },
  };
}

export interface LastUseReader {
  read(
    workspaceId: string,
    of: 'token#' | 'secret#' | `secret#${string}#` | `provider#${string}#` | `ignored#${string}`,
    signal: AbortSignal,
  ): Promise<LastUses>;
}

const PREFIX = 'use#';

export function makeLastUses({ client, tables }: StoreContext<'diagnostics'>): LastUseReader {
  return {
    async read(workspaceId, of, signal) {
      const uses = new Map<string, string>();
      const pages = paginateQuery(
        { client },
        {
          TableName: tables.diagnostics,
          KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':workspaceId': workspaceId, ':prefix': `${PREFIX}${of}` },
        },
        { abortSignal: signal },
      );
      for await (const { Items = [] } of pages) {
        for (const { sk, lastUsedAt } of Items) uses.set(String(sk).slice(PREFIX.length), String(lastUsedAt));
      }
      return uses;
    },
  };
}

/** What Diagnostics knows of the deliveries of a form's provider. */
export interface ProviderUse {
  readonly lastUsedAt?: string | undefined;
  /** When an authentic delivery made no lead: a ping, or an event that was not chosen. */
  readonly lastIgnoredAt?: string | undefined;
  readonly lastRejection?: { readonly at: string; readonly reason: string } | undefined;
}

export interface ProviderUseReader {
  read(workspaceId: string, formId: string, signal: AbortSignal): Promise<ProviderUse>;
}

export function makeProviderUses(
  context: StoreContext<'diagnostics'> & { readonly now: () => number },
): ProviderUseReader {
  const lastUses = makeLastUses(context);
  const rejections = makeRejectionEvents(context);
  return {
    async read(workspaceId, formId, signal) {
      const [uses, ignored, { events }] = await Promise.all([
        lastUses.read(workspaceId, `provider#${formId}#`, signal),
        lastUses.read(workspaceId, `ignored#${formId}`, signal),
        rejections({ workspaceId, formId, surface: '1c', limit: 1 }, signal),
      ]);
      const [newest] = events;
      return {
        lastUsedAt: [...uses.values()].sort().at(-1),
        lastIgnoredAt: ignored.get(`ignored#${formId}`),
        lastRejection: newest && { at: newest.at, reason: newest.reason },
      };
    },
  };
}

export interface WorkspaceUsageReader {
  read(workspaceId: string, signal: AbortSignal): Promise<WorkspaceUsage | undefined>;
}

interface UsageContext extends StoreContext<'workspaces'> {
  readonly now: () => number;
}

/** The gate's own counters, so that owners see what the gate uses. A window without a counter is unused. */
export function makeWorkspaceUsage({ client, tables, now }: UsageContext): WorkspaceUsageReader {
  return {
    async read(workspaceId, signal) {
      const at = now();
      const { Item } = await client.send(
        new GetCommand({ TableName: tables.workspaces, Key: { workspaceId }, ConsistentRead: true }),
        { abortSignal: signal },
      );
      return Item && toUsage(Item, at);
    },
  };
}

function toUsage(item: Readonly<Record<string, unknown>>, atMilliseconds: number): WorkspaceUsage {
  const use = (counter: string, limit: number, endsAtMilliseconds: number): WindowUse => ({
    used: Number(item[counter] ?? 0),
    limit,
    endsAt: new Date(endsAtMilliseconds).toISOString(),
  });
  return {
    workspaceId: String(item.workspaceId),
    name: String(item.name),
    status: item.status as Workspace['status'],
    surfaces: ALL_SURFACES.map((surface) => {
      const { minuteCounter, minuteEndsAt, dayCounter, dayEndsAt } = rateWindowsAt(surface, atMilliseconds);
      return {
        surface,
        minute: use(minuteCounter, LIMITS.submissionsPerMinute, minuteEndsAt),
        day: use(dayCounter, LIMITS.submissionsPerDay, dayEndsAt),
      };
    }),
  };
}
