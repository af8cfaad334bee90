import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { BoundedMap } from '../aws/bounded-map.ts';
import { batchGet, retryThrottled, type StoreContext } from '../aws/dynamodb.ts';
import { onShortPath } from '../aws/short-path.ts';
import type { Workspace } from '../model/configuration.ts';
import {
  type AnySurface,
  expiredCounters,
  LIMITS,
  type RateWindows,
  rateWindowsAt,
} from '../model/limits.ts';

export type GateOutcome = 'admitted' | 'limited_minute' | 'limited_day' | 'suspended' | 'stale';

export interface Admission {
  readonly workspaceId: string;
  readonly surface: AnySurface;
  readonly configVersion: number;
  readonly nowMilliseconds: number;
}

export interface Gate {
  admit(admission: Admission, signal: AbortSignal): Promise<GateOutcome>;
  /** Notes which counters a workspace has that was just read, so that the next write removes the old ones. */
  noteCounters(workspace: Workspace): void;
}

interface Denial {
  readonly outcome: 'limited_minute' | 'limited_day';
  readonly endsAt: number;
}

/** A full window stays full, but owners may suspend or revoke in the meantime, and that reason comes first. */
const CONFIRMED_MS = 1_000;

/** One conditional write decides: the workspace is active, our configuration is current, and both limits have room. */
export function makeGate({ client, tables }: StoreContext<'workspaces'>): Gate {
  const countersSeen = new BoundedMap<readonly string[]>(10_000);
  const denials = new BoundedMap<Denial & { readonly confirmedAt: number }>(10_000);

  async function admit(admission: Admission, signal: AbortSignal): Promise<GateOutcome> {
    const { workspaceId, surface, nowMilliseconds } = admission;
    const remembered = await rememberedDenial(admission, signal);
    if (remembered) return remembered;

    const windows = rateWindowsAt(surface, nowMilliseconds);
    const expired = expiredCounters(countersSeen.get(workspaceId) ?? [], nowMilliseconds);
    try {
      const command = countCommand(tables.workspaces, admission, windows, expired);
      // A throttled write counted nothing, so that the limits stay exact.
      const response = await retryThrottled(() => client.send(command, { abortSignal: signal }), signal);
      countersSeen.set(workspaceId, Object.keys(response.Attributes ?? {}));
      return 'admitted';
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const workspace = error.Item ? unmarshall(error.Item) : undefined;
      countersSeen.set(workspaceId, Object.keys(workspace ?? {}));
      const denial = explainDenial(workspace, admission, windows);
      if (typeof denial === 'string') return denial;
      denials.set(denialKey(admission), { ...denial, confirmedAt: nowMilliseconds });
      return denial.outcome;
    }
  }

  /** Keeps a flood's writes off the gate's item: one read per second shows whether an owner changed something. */
  async function rememberedDenial(
    admission: Admission,
    signal: AbortSignal,
  ): Promise<GateOutcome | undefined> {
    const { workspaceId, nowMilliseconds } = admission;
    const denial = denials.get(denialKey(admission));
    if (!denial || nowMilliseconds >= denial.endsAt) return undefined;
    if (nowMilliseconds - denial.confirmedAt < CONFIRMED_MS) return denial.outcome;
    const address = { table: tables.workspaces, key: { workspaceId } };
    const [workspace] = await batchGet(client, [address], signal);
    const changed = changedConfiguration(workspace, admission);
    if (changed) return changed;
    denials.set(denialKey(admission), { ...denial, confirmedAt: nowMilliseconds });
    return denial.outcome;
  }

  function noteCounters(workspace: Workspace): void {
    countersSeen.set(workspace.workspaceId, Object.keys(workspace));
  }

  return { admit, noteCounters };
}

const denialKey = ({ workspaceId, surface, configVersion }: Admission) =>
  `${workspaceId}/${surface}/${configVersion}`;

/** Every accepted request sends it, so its values are written as DynamoDB reads them: the document client takes longer. */
function countCommand(table: string, admission: Admission, windows: RateWindows, expired: readonly string[]) {
  const removals = expired.map((_, index) => `#expired${index}`);
  return onShortPath(
    new UpdateItemCommand({
      TableName: table,
      Key: { workspaceId: { S: admission.workspaceId } },
      UpdateExpression: `ADD #minute :one, #day :one${removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : ''}`,
      ConditionExpression:
        '#status = :active AND configVersion = :version' +
        ' AND (attribute_not_exists(#minute) OR #minute < :perMinute)' +
        ' AND (attribute_not_exists(#day) OR #day < :perDay)',
      ExpressionAttributeNames: {
        '#status': 'status',
        '#minute': windows.minuteCounter,
        '#day': windows.dayCounter,
        ...Object.fromEntries(expired.map((name, index) => [`#expired${index}`, name])),
      },
      ExpressionAttributeValues: {
        ':one': { N: '1' },
        ':active': { S: 'active' },
        ':version': { N: `${admission.configVersion}` },
        ':perMinute': { N: `${LIMITS.submissionsPerMinute}` },
        ':perDay': { N: `${LIMITS.submissionsPerDay}` },
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

/** The item that failed the condition says which part failed; configuration comes before the limits. */
function explainDenial(
  workspace: Record<string, unknown> | undefined,
  admission: Admission,
  windows: RateWindows,
): 'suspended' | 'stale' | Denial {
  const changed = changedConfiguration(workspace, admission);
  if (changed) return changed;
  if (Number(workspace?.[windows.dayCounter] ?? 0) >= LIMITS.submissionsPerDay) {
    return { outcome: 'limited_day', endsAt: windows.dayEndsAt };
  }
  return { outcome: 'limited_minute', endsAt: windows.minuteEndsAt };
}

function changedConfiguration(
  workspace: Record<string, unknown> | undefined,
  { configVersion }: Admission,
): 'suspended' | 'stale' | undefined {
  if (workspace && workspace.status !== 'active') return 'suspended';
  return workspace?.configVersion === configVersion ? undefined : 'stale';
}
