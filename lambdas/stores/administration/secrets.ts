import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { base62 } from '../../core/base62.ts';
import { AdministrationError } from './administration-error.ts';
import type { AdministrationContext } from './context.ts';
import type { FormAdministration } from './forms.ts';
import type { WorkspaceAdministration } from './workspaces.ts';

const SHORTEST_SECRET = 16;
const LONGEST_SECRET = 200;
const LONGEST_GRACE_MS = 7 * 24 * 60 * 60 * 1000;

export function secretAdministration(
  { client, tables, now, randomBytes }: AdministrationContext,
  workspaces: WorkspaceAdministration,
  forms: FormAdministration,
) {
  async function write(
    formId: string,
    secret: string,
    rotation?: { endsAtMilliseconds: number | undefined },
  ) {
    const endsAt = rotation?.endsAtMilliseconds;
    const { slug, workspaceId } = await forms.require(formId);
    await client.send(
      new UpdateCommand({
        TableName: tables.formSecrets,
        Key: { slug, formId },
        // In an update the right-hand sides see the item as it was: the current secret becomes the previous one.
        UpdateExpression: endsAt
          ? 'SET previousSecret = secret, previousEndsAtMilliseconds = :endsAt, secret = :secret, workspaceId = :workspaceId, setAt = :now, v = :v'
          : 'SET secret = :secret, workspaceId = :workspaceId, setAt = :now, v = :v REMOVE previousSecret, previousEndsAtMilliseconds',
        ...(rotation && { ConditionExpression: 'attribute_exists(secret)' }),
        ExpressionAttributeValues: {
          ':secret': secret,
          ':workspaceId': workspaceId,
          ':now': new Date(now()).toISOString(),
          ':v': 1,
          ...(endsAt && { ':endsAt': endsAt }),
        },
      }),
    );
    await workspaces.raiseConfigVersion(workspaceId);
    return { formId, slug, workspaceId, secret };
  }

  const generate = () => `whsec_${base62(randomBytes(32))}`;

  /** Sets the secret, replacing any other at once. It is shown in this answer and never again. */
  async function setSecret({ formId, secret = generate() }: { formId: string; secret?: string }) {
    return write(formId, requireSecret(secret));
  }

  /** Makes a new secret. The old one ends at once unless a grace period is asked for, in which both work. */
  async function rotateSecret({
    formId,
    graceMilliseconds = 0,
  }: {
    formId: string;
    graceMilliseconds?: number;
  }) {
    if (!(graceMilliseconds >= 0 && graceMilliseconds <= LONGEST_GRACE_MS)) {
      throw new AdministrationError('invalid', 'The grace period must be between 0 and 7 days.');
    }
    const endsAtMilliseconds = graceMilliseconds > 0 ? now() + graceMilliseconds : undefined;
    try {
      const rotated = await write(formId, generate(), { endsAtMilliseconds });
      return endsAtMilliseconds
        ? { ...rotated, previousWorksUntil: new Date(endsAtMilliseconds).toISOString() }
        : rotated;
    } catch (error) {
      if (error instanceof Error && error.name === 'ConditionalCheckFailedException') {
        throw new AdministrationError('conflict', `Form ${formId} has no secret to rotate: set one first.`);
      }
      throw error;
    }
  }

  return { setSecret, rotateSecret };
}

function requireSecret(secret: string): string {
  if (secret.trim() !== secret || secret.length < SHORTEST_SECRET || secret.length > LONGEST_SECRET) {
    throw new AdministrationError(
      'invalid',
      `A secret of your own needs ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters, with no white space around it.`,
    );
  }
  return secret;
}
