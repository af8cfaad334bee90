import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { FormSecret } from '../model/configuration.ts';
import { AdministrationError } from '../owner-api/errors.ts';
import { concurrentChange, ifUnchanged, type Revised, revise } from '../owner-api/revise.ts';
import type { FormRecord } from './forms-store.ts';
import type { AdministrationContext, WorkspaceAdministration } from './workspaces-store.ts';

/** All secrets of a form are in one item. */
export interface StoredSecret extends FormSecret, Revised {
  readonly setAt?: string;
  /** Created by a rotation that has not got its response yet. */
  readonly unshown?: true;
  readonly providerSecretSetAt?: string;
  readonly providerSecretUnshown?: true;
}

/** The attributes of one of them, with the secret before it. */
interface SlotNames {
  readonly current: 'secret' | 'providerSecret';
  readonly previous: 'previousSecret' | 'previousProviderSecret';
  readonly previousEnd: 'previousEndsAtMilliseconds' | 'previousProviderSecretUntil';
  readonly setAt: 'setAt' | 'providerSecretSetAt';
  readonly unshown: 'unshown' | 'providerSecretUnshown';
  /** In the form, where the watch reads it: it cannot read secrets, and must know which ended. */
  readonly changedAt: 'secretChangedAt' | 'providerSecretChangedAt';
}

/** The form's own, which signs in the way of this service. */
export const WEBHOOK_SECRET: SlotNames = {
  current: 'secret',
  previous: 'previousSecret',
  previousEnd: 'previousEndsAtMilliseconds',
  setAt: 'setAt',
  unshown: 'unshown',
  changedAt: 'secretChangedAt',
};

/** The one that signs in the way of the form's provider. */
export const PROVIDER_SECRET: SlotNames = {
  current: 'providerSecret',
  previous: 'previousProviderSecret',
  previousEnd: 'previousProviderSecretUntil',
  setAt: 'providerSecretSetAt',
  unshown: 'providerSecretUnshown',
  changedAt: 'providerSecretChangedAt',
};

/**
 * The secret that senders use until they have the new one. It is kept after its end, when it authenticates nobody: so
 * Diagnostics and alerts can tell that a sender still signs with it.
 */
interface PreviousSecret {
  readonly secret: string;
  readonly endsAtMilliseconds: number;
}

interface Replacement {
  readonly previous?: PreviousSecret | undefined;
  /** Made by us, and not returned to anybody yet. */
  readonly neverShown: boolean;
}

const MAX_GRACE_MS = 7 * 24 * 60 * 60 * 1000;

export function requireGrace(graceMilliseconds: number): void {
  if (!(graceMilliseconds >= 0 && graceMilliseconds <= MAX_GRACE_MS)) {
    throw new AdministrationError('invalid', 'The grace period must be between 0 and 7 days.');
  }
}

export function secretSlot(
  { client, tables, now }: Pick<AdministrationContext, 'client' | 'tables' | 'now'>,
  workspaces: WorkspaceAdministration,
  readSecret: (form: FormRecord) => Promise<StoredSecret | undefined>,
  names: SlotNames,
) {
  async function update(
    { slug, formId }: FormRecord,
    UpdateExpression: string,
    ConditionExpression: string,
    ExpressionAttributeValues: Record<string, unknown>,
  ): Promise<void> {
    await client.send(
      new UpdateCommand({
        TableName: tables.formSecrets,
        Key: { slug, formId },
        UpdateExpression,
        ConditionExpression,
        ExpressionAttributeValues,
      }),
    );
  }

  /** Replaces the secret that was read, and keeps it as the previous one if `previous` says so. */
  async function replace(
    form: FormRecord,
    seen: StoredSecret | undefined,
    secret: string,
    { previous, neverShown }: Replacement,
  ): Promise<void> {
    const { next, condition, values } = ifUnchanged(seen);
    const set = [
      `${names.current} = :secret, workspaceId = :workspaceId, ${names.setAt} = :now, v = :v`,
      'revision = :revision',
    ];
    const forget: string[] = [];
    if (previous) set.push(`${names.previous} = :previous, ${names.previousEnd} = :endsAt`);
    else forget.push(names.previous, names.previousEnd);
    if (neverShown) set.push(`${names.unshown} = :unshown`);
    else forget.push(names.unshown);
    const remove = forget.length > 0 ? ` REMOVE ${forget.join(', ')}` : '';
    await update(form, `SET ${set.join(', ')}${remove}`, condition, {
      ...values,
      ':secret': secret,
      ':workspaceId': form.workspaceId,
      ':now': new Date(now()).toISOString(),
      ':v': 1,
      ':revision': next,
      ...(previous && { ':previous': previous.secret, ':endsAt': previous.endsAtMilliseconds }),
      ...(neverShown && { ':unshown': true }),
    });
  }

  /** Makes the change count, and notes its time in the form. */
  async function announce({ workspaceId, slug, formId }: FormRecord): Promise<void> {
    await workspaces.raiseConfigVersion(workspaceId);
    await client.send(
      new UpdateCommand({
        TableName: tables.forms,
        Key: { slug, formId },
        UpdateExpression: `SET ${names.changedAt} = :now`,
        ConditionExpression: 'attribute_exists(slug)',
        ExpressionAttributeValues: { ':now': new Date(now()).toISOString() },
      }),
    );
  }

  /** The last step before the response: what another rotation has replaced meanwhile must not be shown as the secret. */
  async function markAsShown(form: FormRecord, secret: string): Promise<void> {
    try {
      await update(form, `REMOVE ${names.unshown}`, `${names.current} = :secret`, { ':secret': secret });
    } catch (error) {
      throw error instanceof ConditionalCheckFailedException ? concurrentChange() : error;
    }
  }

  /** Ends the grace period now. No error if there is none. */
  async function endGrace(form: FormRecord): Promise<void> {
    await revise(
      () => readSecret(form),
      async (seen) => {
        if (seen?.[names.previous] === undefined) return;
        const { next, condition, values } = ifUnchanged(seen);
        await update(form, `SET revision = :revision, ${names.previousEnd} = :ended`, condition, {
          ...values,
          ':revision': next,
          ':ended': 0,
        });
      },
    );
    await announce(form);
  }

  /** Removes both secrets. Does nothing, and returns false, if there are none. */
  async function forget(form: FormRecord): Promise<boolean> {
    return revise(
      () => readSecret(form),
      async (seen) => {
        if (seen?.[names.current] === undefined && seen?.[names.previous] === undefined) return false;
        const { next, condition, values } = ifUnchanged(seen);
        const { changedAt: _changedAt, ...own } = names;
        const remove = Object.values(own).join(', ');
        await update(form, `SET revision = :revision REMOVE ${remove}`, condition, {
          ...values,
          ':revision': next,
        });
        return true;
      },
    );
  }

  return {
    replace,
    announce,
    markAsShown,
    endGrace,
    forget,
    /** The one that senders know: a rotation that was cut short has shown its secret to nobody. */
    inUse: (seen: StoredSecret | undefined): string | undefined =>
      seen?.[names.unshown] ? seen[names.previous] : seen?.[names.current],
  };
}

/** Ended since 1970, so that it has ended on every function's clock. */
export function ended(secret: string | undefined): PreviousSecret | undefined {
  return secret === undefined ? undefined : { secret, endsAtMilliseconds: 0 };
}
