import { base62 } from '../model/configuration.ts';
import { AdministrationError, InvalidField } from '../owner-api/errors.ts';
import { CHANGED, revise } from '../owner-api/revise.ts';
import {
  checkAddress,
  checkEvents,
  checkForms,
  checkName,
  type DestinationChanges,
  type DestinationChecks,
  defaultName,
  type NewDestination,
} from './check-destination.ts';
import { makeSigningSecret, SIGNING_SECRET_BYTES } from './compose-message.ts';
import { type Destination, defaultEvents, isReady, MAX_DESTINATIONS } from './destination.ts';
import type { DestinationReader, DestinationStore } from './destinations-store.ts';
import type { SendTask } from './message.ts';
import type { MessageReader } from './message-reader-store.ts';
import { changesToRecipient, isNewAddress, requireAskable, requireFreeAddress } from './recipient-rules.ts';
import { replaysOf } from './replay-messages.ts';
import { sendsNowOf } from './send-now.ts';
import type { SendQueue } from './send-queue-store.ts';

export interface DestinationsContext extends DestinationChecks {
  readonly reader: DestinationReader;
  readonly store: DestinationStore;
  readonly messages: Pick<MessageReader, 'find' | 'slowStart' | 'waiting'>;
  readonly queue: SendQueue;
  /** Whether the deployment has a sender of mail. */
  readonly canSendEmail: boolean;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/** What owners and operators do with the destinations of one workspace. Throws a AdministrationError. */
export type DestinationAdministration = ReturnType<ReturnType<typeof makeDestinationAdministration>>;

export const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;
export const DEFAULT_GRACE_SECONDS = 24 * 60 * 60;

const TOO_MANY = `A workspace can have at most ${MAX_DESTINATIONS} destinations: delete one first.`;
const NO_SENDER = 'This deployment cannot send email: it has no sender (the setting mailFrom).';

/** Sorts before the id of every lead. */
const FIRST_LEAD = '0';

/** Until then, attempts that began before a destination was deleted have been written down. */
const FORGET_DELAY_SECONDS = 60;

/** Bound to a workspace first, so that no caller can forget whose destinations are meant. */
export function makeDestinationAdministration(context: DestinationsContext) {
  const { reader, store, messages, queue, canSendEmail, now, random } = context;
  const nowText = () => new Date(now()).toISOString();

  /** @param seesMembers whether the caller may know who is a member: their addresses count as confirmed. */
  return function destinationsOf(workspaceId: string, seesMembers = false) {
    async function list(signal: AbortSignal): Promise<Destination[]> {
      const found = await reader.list(workspaceId, signal);
      return found.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    }

    async function require(destinationId: string, signal: AbortSignal): Promise<Destination> {
      const destination = await store.find(workspaceId, destinationId, signal);
      if (!destination)
        throw new AdministrationError('not_found', `There is no destination ${destinationId}.`);
      return destination;
    }

    /** Returns the destinations that there are. */
    async function requireRoom(most: number, signal: AbortSignal): Promise<Destination[]> {
      const found = await reader.list(workspaceId, signal);
      if (found.length <= most) return found;
      throw new AdministrationError('conflict', TOO_MANY);
    }

    /** Only this response contains the signing secret. */
    async function create(
      choice: NewDestination,
      signal: AbortSignal,
    ): Promise<{ destination: Destination; signingSecret: string | undefined }> {
      const { kind, name, events = defaultEvents(choice.kind), forms = 'all' } = choice;
      const address = await checkAddress(kind, choice, context);
      if (!address) throw new InvalidField(kind === 'email' ? 'email' : 'url', 'is missing');
      if (kind === 'email' && !canSendEmail) throw new AdministrationError('conflict', NO_SENDER);
      const others = await requireRoom(MAX_DESTINATIONS - 1, signal);
      const signingSecret = kind === 'webhook' ? makeSigningSecret(random(SIGNING_SECRET_BYTES)) : undefined;
      const destination: Destination = {
        workspaceId,
        destinationId: `dest_${base62(random(16))}`,
        kind,
        name: name === undefined ? defaultName(kind, address) : checkName(name),
        ...address.stored,
        events: checkEvents(events),
        forms: await checkForms(workspaceId, forms, context),
        onlyClean: choice.onlyClean ?? true,
        includeFields: choice.includeFields ?? false,
        status: 'active',
        createdAt: nowText(),
        ...(kind === 'email' && { confirmation: 'pending' }),
        ...(signingSecret !== undefined && { secretSetAt: nowText() }),
        ...(await messages.slowStart(workspaceId, others, signal)),
      };
      requireFreeAddress(destination, others);
      await store.create(destination, { signingSecret, slackUrl: address.slackUrl }, signal);
      // Two may have been created at the same time.
      try {
        requireFreeAddress(destination, await requireRoom(MAX_DESTINATIONS, signal));
      } catch (error) {
        await store.remove(workspaceId, destination.destinationId, signal);
        throw error;
      }
      if (kind === 'email') await ask(destination, signal);
      return { destination, signingSecret };
    }

    const ask = ({ destinationId }: Destination, signal: AbortSignal) =>
      add({ task: 'confirm', workspaceId, destinationId, seesMembers }, signal);

    const reviseDestination = (
      destinationId: string,
      changesTo: (seen: Destination) => Partial<Destination>,
      signal: AbortSignal,
    ) =>
      revise(
        () => require(destinationId, signal),
        async (seen) => {
          const changes = changesTo(seen);
          if (!(await store.change(seen, changes, signal))) return CHANGED;
          return { ...seen, ...changes, revision: (seen.revision ?? 0) + 1 };
        },
      );

    /** Missing properties stay unchanged. `active` also resumes a disabled destination. */
    async function change(
      destinationId: string,
      given: DestinationChanges,
      signal: AbortSignal,
    ): Promise<Destination> {
      const before = await require(destinationId, signal);
      const address = await checkAddress(before.kind, given, context);
      const isMoved = isNewAddress(before, address?.stored);
      if (isMoved) requireFreeAddress({ ...before, ...address?.stored }, await list(signal));
      const { name, events, forms, onlyClean, includeFields, status } = given;
      const checked: Partial<Destination> = {
        ...address?.stored,
        ...(address && (await messages.slowStart(workspaceId, await list(signal), signal))),
        ...(name !== undefined && { name: checkName(name) }),
        ...(events !== undefined && { events: checkEvents(events) }),
        ...(forms !== undefined && { forms: await checkForms(workspaceId, forms, context) }),
        ...(onlyClean !== undefined && { onlyClean }),
        ...(includeFields !== undefined && { includeFields }),
        ...(status !== undefined && { status, disabledReason: undefined, disabledAt: undefined }),
      };
      const changed = await reviseDestination(
        destinationId,
        (seen) => changesToRecipient(seen, checked),
        signal,
      );
      if (address?.slackUrl !== undefined) {
        await store.setSlackUrl(destinationId, address.slackUrl, changed.revision, signal);
      }
      // What waits is sent at once, also to a new address: the old one's failures say nothing about it.
      if (isReady(changed) && (status === 'active' || address)) {
        await add({ task: 'wake', workspaceId, destinationId, resumed: true }, signal);
      }
      if (!isMoved) return changed;
      // Two may have been given this address at the same time.
      try {
        requireFreeAddress(changed, await list(signal));
      } catch (error) {
        const { email, confirmation, askedAt, heldSince } = before;
        await reviseDestination(destinationId, () => ({ email, confirmation, askedAt, heldSince }), signal);
        throw error;
      }
      await ask(changed, signal);
      return changed;
    }

    /** The old secret also signs until the grace period ends. */
    async function rotate(destinationId: string, graceSeconds: number, signal: AbortSignal) {
      const signingSecret = makeSigningSecret(random(SIGNING_SECRET_BYTES));
      const endsAt = now() + graceSeconds * 1000;
      const previousWorksUntil = new Date(endsAt).toISOString();
      // The dates first: if only they are written, the old secret still works and rotating can be repeated.
      const { revision } = await reviseDestination(
        destinationId,
        ({ kind }) => {
          if (kind === 'webhook')
            return { secretSetAt: nowText(), previousSecretWorksUntil: previousWorksUntil };
          throw new AdministrationError('conflict', 'Only webhooks have a signing secret.');
        },
        signal,
      );
      if (!(await store.rotateSecret(destinationId, { signingSecret, endsAt, revision }, signal))) {
        throw new AdministrationError(
          'conflict',
          'The secret was rotated twice at the same time: try again.',
        );
      }
      return { destinationId, signingSecret, previousWorksUntil };
    }

    async function remove(destinationId: string, signal: AbortSignal): Promise<void> {
      if (!(await store.remove(workspaceId, destinationId, signal))) {
        throw new AdministrationError('not_found', `There is no destination ${destinationId}.`);
      }
      const task = { task: 'forgetAll', workspaceId, destinationId, from: FIRST_LEAD } as const;
      await queue.add([{ task, delaySeconds: FORGET_DELAY_SECONDS }], signal);
    }

    /** Sends the confirmation mail again. */
    async function confirm(destinationId: string, signal: AbortSignal): Promise<Destination> {
      const destination = await require(destinationId, signal);
      requireAskable(destination, now());
      await ask(destination, signal);
      return destination;
    }

    const add = (task: SendTask, signal: AbortSignal) => queue.add([{ task }], signal);
    const { requireMessage, replay, replaySince } = replaysOf(workspaceId, context);
    const { test, tryNow } = sendsNowOf(workspaceId, { require, revise: reviseDestination }, context);

    return {
      list,
      require,
      create,
      change,
      rotate,
      remove,
      test,
      tryNow,
      confirm,
      replaySince,
      requireMessage,
      replay,
    };
  };
}
