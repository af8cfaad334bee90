import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { base62 } from '../../core/base62.ts';
import { AdministrationError } from './administration-error.ts';
import type { AdministrationContext } from './context.ts';
import type { FormAdministration, FormRecord } from './forms.ts';
import type { WorkspaceAdministration } from './workspaces.ts';

const SHORTEST_SECRET = 16;
const LONGEST_SECRET = 200;
const LONGEST_GRACE_MS = 7 * 24 * 60 * 60 * 1000;

const SET = 'secret = :secret, workspaceId = :workspaceId, setAt = :now, v = :v';
const FORGET_PREVIOUS = 'previousSecret, previousEndsAtMilliseconds';
/**
 * An attempt that was given up may still arrive, after its repetition has been answered: done twice, a rotation would
 * make the new secret its own predecessor, and the one that senders use would end before its time.
 */
const NOT_YET_DONE = 'secret <> :secret';

export function secretAdministration(
  { client, tables, now, randomBytes }: AdministrationContext,
  workspaces: WorkspaceAdministration,
  forms: FormAdministration,
) {
  const generate = () => `whsec_${base62(randomBytes(32))}`;

  async function update(
    { slug, formId }: FormRecord,
    UpdateExpression: string,
    options: { readonly values?: Record<string, unknown>; readonly condition?: string },
  ): Promise<void> {
    await client.send(
      new UpdateCommand({
        TableName: tables.formSecrets,
        Key: { slug, formId },
        UpdateExpression,
        ...(options.condition && { ConditionExpression: options.condition }),
        ...(options.values && { ExpressionAttributeValues: options.values }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
  }

  const valuesOf = ({ workspaceId }: FormRecord, secret: string) => ({
    ':secret': secret,
    ':workspaceId': workspaceId,
    ':now': new Date(now()).toISOString(),
    ':v': 1,
  });

  /** Sets the secret, replacing any other at once. It is shown in this answer and never again. */
  async function setSecret({ formId, secret = generate() }: { formId: string; secret?: string }) {
    requireSecret(secret);
    const form = await forms.requireLive(formId);
    await update(form, `SET ${SET} REMOVE ${FORGET_PREVIOUS}, unshown`, { values: valuesOf(form, secret) });
    await workspaces.raiseConfigVersion(form.workspaceId);
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
    if (!(graceMilliseconds >= 0 && graceMilliseconds <= LONGEST_GRACE_MS)) {
      throw new AdministrationError('invalid', 'The grace period must be between 0 and 7 days.');
    }
    const form = await forms.requireLive(formId);
    const secret = generate();
    const endsAt = graceMilliseconds > 0 ? now() + graceMilliseconds : undefined;
    const values = valuesOf(form, secret);
    const kept = endsAt === undefined ? false : await replaceWithGrace(form, values, endsAt);
    if (endsAt === undefined) await replaceAtOnce(form, values);
    await workspaces.raiseConfigVersion(form.workspaceId);
    await update(form, 'REMOVE unshown', {});
    return {
      ...{ formId, slug: form.slug, workspaceId: form.workspaceId, secret },
      ...(endsAt !== undefined && kept && { previousWorksUntil: new Date(endsAt).toISOString() }),
    };
  }

  async function replaceAtOnce(form: FormRecord, values: Record<string, unknown>): Promise<void> {
    try {
      await update(form, `SET ${SET}, unshown = :true REMOVE ${FORGET_PREVIOUS}`, {
        values: { ...values, ':true': true },
        condition: `attribute_exists(secret) AND ${NOT_YET_DONE}`,
      });
    } catch (error) {
      const item = itemThatFailed(error);
      if (item === undefined) throw error;
      // The secret that is there is the one that was to be set: an attempt whose answer was lost has done it.
      if (item.secret === undefined) throw nothingToRotate(form);
    }
  }

  /** Whether there is a secret to keep for the grace period. */
  async function replaceWithGrace(
    form: FormRecord,
    rest: Record<string, unknown>,
    endsAt: number,
  ): Promise<boolean> {
    const values = { ...rest, ':true': true, ':endsAt': endsAt };
    try {
      // In an update the right-hand sides see the item as it was: the current secret becomes the previous one.
      await update(
        form,
        `SET previousSecret = secret, previousEndsAtMilliseconds = :endsAt, ${SET}, unshown = :true`,
        {
          values,
          condition: `attribute_exists(secret) AND attribute_not_exists(unshown) AND ${NOT_YET_DONE}`,
        },
      );
      return true;
    } catch (error) {
      const item = itemThatFailed(error);
      if (!item) throw error;
      if (!item.unshown) throw nothingToRotate(form);
      const hasPrevious = item.previousSecret !== undefined;
      await update(form, `SET ${SET}${hasPrevious ? ', previousEndsAtMilliseconds = :endsAt' : ''}`, {
        values: hasPrevious ? { ...rest, ':endsAt': endsAt } : rest,
        condition: 'attribute_exists(unshown)',
      });
      return hasPrevious;
    }
  }

  /** Ends the grace period now. Where there is none, that is what was asked for. */
  async function endGrace(formId: string): Promise<void> {
    const form = await forms.require(formId);
    try {
      await update(form, `REMOVE ${FORGET_PREVIOUS}`, { condition: 'attribute_exists(secret)' });
    } catch (error) {
      if (!itemThatFailed(error)) throw error;
    }
    await workspaces.raiseConfigVersion(form.workspaceId);
  }

  return { setSecret, rotateSecret, endGrace };
}

/** What was stored where a condition failed, still marshalled; undefined for every other error. */
function itemThatFailed(error: unknown): Record<string, unknown> | undefined {
  return error instanceof ConditionalCheckFailedException ? (error.Item ?? {}) : undefined;
}

function nothingToRotate({ formId }: FormRecord): AdministrationError {
  return new AdministrationError('conflict', `Form ${formId} has no secret to rotate: set one first.`);
}

function requireSecret(secret: string): void {
  const { length } = [...secret];
  if (secret.trim() !== secret || length < SHORTEST_SECRET || length > LONGEST_SECRET) {
    throw new AdministrationError(
      'invalid',
      `A secret of your own needs ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters, with no white space around it.`,
    );
  }
}
