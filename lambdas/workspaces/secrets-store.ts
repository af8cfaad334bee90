import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../aws/dynamodb.ts';
import type { OtherSecret } from '../debugger/key-variants.ts';
import { base62, type FormSecret } from '../model/configuration.ts';
import { AdministrationError } from '../owner-api/errors.ts';
import { concurrentChange, ifUnchanged, type Revised, revise } from '../owner-api/revise.ts';
import type { FormAdministration, FormRecord } from './forms-store.ts';
import type { AdministrationContext, WorkspaceAdministration } from './workspaces-store.ts';

/**
 * The secret that senders use until they have the new one. It is kept after its end, when it authenticates nobody: so
 * Diagnostics and alerts can tell that a sender still signs with it.
 */
interface PreviousSecret {
  readonly secret: string;
  readonly endsAtMilliseconds: number;
}

const MIN_SECRET_LENGTH = 16;
const MAX_SECRET_LENGTH = 200;
const MAX_GRACE_MS = 7 * 24 * 60 * 60 * 1000;

const SET = 'secret = :secret, workspaceId = :workspaceId, setAt = :now, v = :v';
const FORGET_PREVIOUS = 'previousSecret, previousEndsAtMilliseconds';

export function secretAdministration(
  context: AdministrationContext,
  workspaces: WorkspaceAdministration,
  forms: FormAdministration,
) {
  const { client, tables, now, randomBytes } = context;
  const { readSecret } = deliveryAdministration(context, forms);
  const generate = () => `whsec_${base62(randomBytes(32))}`;

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
    {
      previous,
      neverShown,
    }: { readonly previous?: PreviousSecret | undefined; readonly neverShown: boolean },
  ): Promise<void> {
    const { next, condition, values } = ifUnchanged(seen);
    const set = [SET, 'revision = :revision'];
    const forget: string[] = [];
    if (previous) set.push('previousSecret = :previous, previousEndsAtMilliseconds = :endsAt');
    else forget.push(FORGET_PREVIOUS);
    if (neverShown) set.push('unshown = :unshown');
    else forget.push('unshown');
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

  /** Makes the change count, and notes its time in the form: the watch cannot read secrets, and must know which ended. */
  async function announce({ workspaceId, slug, formId }: FormRecord): Promise<void> {
    await workspaces.raiseConfigVersion(workspaceId);
    await client.send(
      new UpdateCommand({
        TableName: tables.forms,
        Key: { slug, formId },
        UpdateExpression: 'SET secretChangedAt = :now',
        ConditionExpression: 'attribute_exists(slug)',
        ExpressionAttributeValues: { ':now': new Date(now()).toISOString() },
      }),
    );
  }

  /** Sets the secret, replacing any other at once. Only this response shows it. */
  async function setSecret({ formId, secret = generate() }: { formId: string; secret?: string }) {
    requireSecret(secret);
    const form = await forms.requireLive(formId);
    await revise(
      () => readSecret(form),
      (seen) => {
        const inUse = secretInUse(seen);
        const previous = inUse === secret ? seen?.previousSecret : inUse;
        return replace(form, seen, secret, { previous: ended(previous), neverShown: false });
      },
    );
    await announce(form);
    return { formId, slug: form.slug, workspaceId: form.workspaceId, secret };
  }

  /**
   * Makes a new secret. The old one ends at once unless a grace period is asked for, in which both work.
   *
   * A rotation that is cut short has changed the secret and shown it to nobody. Until it is shown it is marked: a
   * second try replaces it and leaves the previous one in place, which is the one that senders still use.
   */
  async function rotateSecret(rotation: { formId: string; graceMilliseconds?: number }) {
    const { formId, graceMilliseconds = 0 } = rotation;
    if (!(graceMilliseconds >= 0 && graceMilliseconds <= MAX_GRACE_MS)) {
      throw new AdministrationError('invalid', 'The grace period must be between 0 and 7 days.');
    }
    const form = await forms.requireLive(formId);
    const secret = generate();
    const endsAtMilliseconds = now() + graceMilliseconds;
    const hasPrevious = await revise(
      () => readSecret(form),
      async (seen) => {
        if (!seen) {
          const nothing = `Form ${formId} has no webhook secret to rotate. Set one first.`;
          throw new AdministrationError('conflict', nothing);
        }
        // An earlier attempt has done it, but its response was lost.
        if (seen.secret === secret) return (seen.previousEndsAtMilliseconds ?? 0) > 0;
        const inUse = secretInUse(seen);
        const keeps = graceMilliseconds > 0 && inUse !== undefined;
        const previous = keeps ? { secret: inUse, endsAtMilliseconds } : ended(inUse);
        await replace(form, seen, secret, { previous, neverShown: true });
        return keeps;
      },
    );
    await announce(form);
    await markAsShown(form, secret);
    return {
      formId,
      slug: form.slug,
      workspaceId: form.workspaceId,
      secret,
      ...(hasPrevious && { previousWorksUntil: new Date(endsAtMilliseconds).toISOString() }),
    };
  }

  /** The last step before the response: what another rotation has replaced meanwhile must not be shown as the secret. */
  async function markAsShown(form: FormRecord, secret: string): Promise<void> {
    try {
      await update(form, 'REMOVE unshown', 'secret = :secret', { ':secret': secret });
    } catch (error) {
      throw error instanceof ConditionalCheckFailedException ? concurrentChange() : error;
    }
  }

  /** Ends the grace period now. No error if there is none. */
  async function endGrace(formId: string): Promise<void> {
    const form = await forms.require(formId);
    await revise(
      () => readSecret(form),
      async (seen) => {
        if (seen?.previousSecret === undefined) return;
        const { next, condition, values } = ifUnchanged(seen);
        await update(form, 'SET revision = :revision, previousEndsAtMilliseconds = :ended', condition, {
          ...values,
          ':revision': next,
          ':ended': 0,
        });
      },
    );
    await announce(form);
  }

  return { setSecret, rotateSecret, endGrace };
}

/** The one that senders know: a rotation that was cut short has shown its secret to nobody. */
function secretInUse(seen: StoredSecret | undefined): string | undefined {
  return seen?.unshown ? seen.previousSecret : seen?.secret;
}

/** Ended since 1970, so that it has ended on every function's clock. */
function ended(secret: string | undefined): PreviousSecret | undefined {
  return secret === undefined ? undefined : { secret, endsAtMilliseconds: 0 };
}

function requireSecret(secret: string): void {
  const { length } = [...secret];
  if (secret.trim() !== secret || length < MIN_SECRET_LENGTH || length > MAX_SECRET_LENGTH) {
    throw new AdministrationError(
      'invalid',
      `Your own secret must have ${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters, with no whitespace around them.`,
    );
  }
}

export interface StoredSecret extends FormSecret, Revised {
  readonly setAt: string;
  /** Created by a rotation that has not got its response yet. */
  readonly unshown?: true;
}

/** A batch takes 100 keys. */
const SECRETS_IN_A_BATCH = 100;
/** What the debugger tries at most, the newest forms first. */
const MAX_OTHERS = 300;

/** Reads secrets, for the debugger and to know whether there is one. Callers decide what leaves the service. */
export function deliveryAdministration(
  { client, tables }: Pick<AdministrationContext, 'client' | 'tables'>,
  forms: FormAdministration,
) {
  async function readSecret({ slug, formId }: FormRecord): Promise<StoredSecret | undefined> {
    const Key = { slug, formId };
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.formSecrets, Key, ConsistentRead: true }),
    );
    return Item as StoredSecret | undefined;
  }

  /** The secrets of all other forms of the workspace, also of archived ones: an old setting is a likely mistake. */
  async function otherSecrets(form: FormRecord, signal: AbortSignal): Promise<OtherSecret[]> {
    const others = (await forms.list(form.workspaceId, 'all'))
      .filter(({ formId }) => formId !== form.formId)
      .reverse()
      .slice(0, MAX_OTHERS);
    const found: OtherSecret[] = [];
    for (let from = 0; from < others.length; from += SECRETS_IN_A_BATCH) {
      const batch = others.slice(from, from + SECRETS_IN_A_BATCH);
      const addresses = batch.map(({ slug, formId }) => ({
        table: tables.formSecrets,
        key: { slug, formId },
      }));
      const items = (await batchGet(client, addresses, signal)) as (FormSecret | undefined)[];
      for (const [at, { formId, name }] of batch.entries()) {
        const secret = items[at]?.secret;
        if (secret !== undefined) found.push({ formId, secret, formName: name });
      }
    }
    return found;
  }

  return { readSecret, otherSecrets };
}
