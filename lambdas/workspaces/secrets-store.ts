import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../aws/dynamodb.ts';
import type { OtherSecret } from '../debugger/key-variants.ts';
import { base62, type FormSecret } from '../model/configuration.ts';
import { AdministrationError } from '../owner-api/errors.ts';
import { revise } from '../owner-api/revise.ts';
import type { FormAdministration, FormRecord } from './forms-store.ts';
import { ended, requireGrace, type StoredSecret, secretSlot, WEBHOOK_SECRET } from './secret-slot-store.ts';
import type { AdministrationContext, WorkspaceAdministration } from './workspaces-store.ts';

const MIN_SECRET_LENGTH = 16;
const MAX_SECRET_LENGTH = 200;

export function secretAdministration(
  context: AdministrationContext,
  workspaces: WorkspaceAdministration,
  forms: FormAdministration,
) {
  const { now, randomBytes } = context;
  const { readSecret } = deliveryAdministration(context, forms);
  const slot = secretSlot(context, workspaces, readSecret, WEBHOOK_SECRET);
  const generate = () => `whsec_${base62(randomBytes(32))}`;

  /** Sets the secret, replacing any other at once. Only this response shows it. */
  async function setSecret({ formId, secret = generate() }: { formId: string; secret?: string }) {
    requireSecret(secret);
    const form = await forms.requireLive(formId);
    await revise(
      () => readSecret(form),
      (seen) => {
        const inUse = slot.inUse(seen);
        const previous = inUse === secret ? seen?.previousSecret : inUse;
        return slot.replace(form, seen, secret, { previous: ended(previous), neverShown: false });
      },
    );
    await slot.announce(form);
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
    requireGrace(graceMilliseconds);
    const form = await forms.requireLive(formId);
    const secret = generate();
    const endsAtMilliseconds = now() + graceMilliseconds;
    const hasPrevious = await revise(
      () => readSecret(form),
      async (seen) => {
        if (seen?.secret === undefined) {
          const nothing = `Form ${formId} has no webhook secret to rotate. Set one first.`;
          throw new AdministrationError('conflict', nothing);
        }
        // An earlier attempt has done it, but its response was lost.
        if (seen.secret === secret) return (seen.previousEndsAtMilliseconds ?? 0) > 0;
        const inUse = slot.inUse(seen);
        const keeps = graceMilliseconds > 0 && inUse !== undefined;
        const previous = keeps ? { secret: inUse, endsAtMilliseconds } : ended(inUse);
        await slot.replace(form, seen, secret, { previous, neverShown: true });
        return keeps;
      },
    );
    await slot.announce(form);
    await slot.markAsShown(form, secret);
    return {
      formId,
      slug: form.slug,
      workspaceId: form.workspaceId,
      secret,
      ...(hasPrevious && { previousWorksUntil: new Date(endsAtMilliseconds).toISOString() }),
    };
  }

  /** Ends the grace period now. No error if there is none. */
  async function endGrace(formId: string): Promise<void> {
    await slot.endGrace(await forms.require(formId));
  }

  return { setSecret, rotateSecret, endGrace };
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
