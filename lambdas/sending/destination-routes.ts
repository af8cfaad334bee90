import { LEAD_EVENTS } from '../model/lead-events.ts';
import { isLeadId } from '../model/lead-item.ts';
import { decodeMessageCursor, encodeMessageCursor } from '../owner-api/cursor.ts';
import {
  cursor,
  flag,
  listOfTexts,
  moment,
  name,
  oneOf,
  optional,
  readFields,
  readFieldsIfAny,
  text,
  wholeNumber,
  wholeNumberText,
} from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { accepted, created, noContent, notFound, ok, Problem } from '../owner-api/problem.ts';
import { seesMembers } from '../owner-api/route-access.ts';
import { MAX_FORMS } from './check-destination.ts';
import { DESTINATION_EVENTS, DESTINATION_KINDS, type Destination } from './destination.ts';
import {
  DEFAULT_GRACE_SECONDS,
  type DestinationAdministration,
  MAX_GRACE_SECONDS,
} from './keep-destinations.ts';
import { MESSAGE_STATUSES } from './message.ts';
import type { MessageReader } from './message-reader-store.ts';
import { destinationView, messageView, waitingView } from './views.ts';

const formList = listOfTexts(text({ min: 1, max: 200 }), MAX_FORMS);

const CHOICE = {
  url: optional(text({ min: 1, max: 2_000 })),
  email: optional(text({ min: 1, max: 254 })),
  name: optional(name),
  events: optional(listOfTexts(oneOf(DESTINATION_EVENTS), DESTINATION_EVENTS.length)),
  forms: optional((value) => (value === 'all' ? value : formList(value))),
  onlyClean: optional(flag),
  includeFields: optional(flag),
};
const NEW = { kind: oneOf(DESTINATION_KINDS), ...CHOICE };
const CHANGES = { ...CHOICE, status: optional(oneOf(['active', 'paused'])) };
const ROTATION = { graceSeconds: optional(wholeNumber({ min: 0, max: MAX_GRACE_SECONDS })) };

export interface DestinationRouteDependencies {
  readonly destinationsOf: (workspaceId: string, seesMembers?: boolean) => DestinationAdministration;
  readonly messages: MessageReader;
  /** Whether the deployment has a sender of mail. */
  readonly canSendEmail: boolean;
  readonly now: () => number;
}

/** Where the workspace's lead events are sent. */
export function destinationRoutes(dependencies: DestinationRouteDependencies): OwnerRoute[] {
  const { destinationsOf, messages, canSendEmail, now } = dependencies;

  async function viewsOf(destinations: readonly Destination[], signal: AbortSignal) {
    const ids = destinations.map(({ destinationId }) => destinationId);
    const health = await messages.healthOf(ids, signal);
    return destinations.map((destination, index) => destinationView(destination, health[index], now()));
  }

  /** Also what waits for it, which is read for one destination only. */
  async function viewOf(destination: Destination, signal: AbortSignal) {
    const { destinationId } = destination;
    const [[health], waiting] = await Promise.all([
      messages.healthOf([destinationId], signal),
      messages.waiting(destinationId, signal),
    ]);
    return {
      ...destinationView(destination, health, now()),
      waiting: waitingView(destination, health, waiting),
    };
  }

  return [
    route('listDestinations', async ({ workspaceId, query, signal }) => {
      readFields(query, {});
      const destinations = await destinationsOf(workspaceId).list(signal);
      return ok({ destinations: await viewsOf(destinations, signal), canSendEmail });
    }),

    route('createDestination', async ({ workspaceId, principal, body, signal }) => {
      const given = readFields(body, NEW);
      const { create } = destinationsOf(workspaceId, seesMembers(principal));
      const { destination, signingSecret } = await create(given, signal);
      // The only response that contains the secret itself.
      return created({ ...destinationView(destination, undefined, now()), signingSecret });
    }),

    route('getDestination', async (request) => {
      const { workspaceId, query, parameter, signal } = request;
      readFields(query, {});
      const destination = await destinationsOf(workspaceId).require(parameter('destinationId'), signal);
      return ok(await viewOf(destination, signal));
    }),

    route('changeDestination', async (request) => {
      const { workspaceId, principal, body, parameter, signal } = request;
      const changes = readFields(body, CHANGES);
      if (Object.values(changes).every((value) => value === undefined)) {
        const problem = `must name something to change: ${Object.keys(CHANGES).join(', ')}`;
        throw new Problem('invalid-request', { errors: [{ field: '', problem }] });
      }
      const id = parameter('destinationId');
      const { change } = destinationsOf(workspaceId, seesMembers(principal));
      return ok(await viewOf(await change(id, changes, signal), signal));
    }),

    route('deleteDestination', async (request) => {
      const { workspaceId, query, parameter, signal } = request;
      readFields(query, {});
      await destinationsOf(workspaceId).remove(parameter('destinationId'), signal);
      return noContent();
    }),

    route('rotateSigningSecret', async (request) => {
      const { workspaceId, body, parameter, signal } = request;
      const { graceSeconds = DEFAULT_GRACE_SECONDS } = readFieldsIfAny(body, ROTATION);
      const id = parameter('destinationId');
      return created(await destinationsOf(workspaceId).rotate(id, graceSeconds, signal));
    }),

    route('testDestination', async (request) => {
      const { workspaceId, body, parameter, signal } = request;
      readFieldsIfAny(body, {});
      const messageId = await destinationsOf(workspaceId).test(parameter('destinationId'), signal);
      return accepted({ messageId });
    }),

    route('tryDestination', async (request) => {
      const { workspaceId, body, parameter, signal } = request;
      readFieldsIfAny(body, {});
      const message = await destinationsOf(workspaceId).tryNow(parameter('destinationId'), signal);
      const { messageId, attempts } = messageView(message);
      return accepted({ messageId, lastAttemptAt: attempts.at(-1)?.at });
    }),

    route('askRecipient', async (request) => {
      const { workspaceId, principal, body, parameter, signal } = request;
      readFieldsIfAny(body, {});
      const { confirm } = destinationsOf(workspaceId, seesMembers(principal));
      const { destinationId } = await confirm(parameter('destinationId'), signal);
      return accepted({ destinationId });
    }),
  ];
}

const PAGE = {
  status: optional(oneOf(MESSAGE_STATUSES)),
  cursor,
  limit: optional(wholeNumberText({ min: 1, max: 100 })),
};
const DEFAULT_LIMIT = 50;

export interface MessageRouteDependencies
  extends Pick<DestinationRouteDependencies, 'destinationsOf' | 'messages'> {
  /** Finds a lead of the workspace. */
  readonly leads: {
    find(workspaceId: string, leadId: string, signal: AbortSignal): Promise<unknown>;
  };
}

/** What was sent to destinations, and how they responded. */
export function messageRoutes({ destinationsOf, messages, leads }: MessageRouteDependencies): OwnerRoute[] {
  return [
    route('listMessages', async (request) => {
      const { workspaceId, query, parameter, signal } = request;
      const { status, cursor: from, limit = DEFAULT_LIMIT } = readFields(query, PAGE);
      const { destinationId } = await destinationsOf(workspaceId).require(parameter('destinationId'), signal);
      const list = { destinationId, status };
      const before = from === undefined ? undefined : decodeMessageCursor(from, list);
      const page = await messages.list(destinationId, { before, limit, status }, signal);
      return ok({
        messages: page.messages.map(messageView),
        ...(page.before !== undefined && { cursor: encodeMessageCursor(list, page.before) }),
      });
    }),

    route('replayMessages', async (request) => {
      const { workspaceId, body, parameter, signal } = request;
      const { since } = readFields(body, { since: moment });
      const destinationId = parameter('destinationId');
      await destinationsOf(workspaceId).replaySince(destinationId, since, signal);
      return accepted({ destinationId, since: new Date(since).toISOString() });
    }),

    route('getMessage', async ({ workspaceId, query, parameter, signal }) => {
      readFields(query, {});
      const message = await destinationsOf(workspaceId).requireMessage(parameter('messageId'), signal);
      return ok(messageView(message));
    }),

    route('replayMessage', async ({ workspaceId, body, parameter, signal }) => {
      readFieldsIfAny(body, {});
      const messageId = parameter('messageId');
      await destinationsOf(workspaceId).replay(messageId, signal);
      return accepted({ messageId });
    }),

    route('listLeadMessages', async ({ workspaceId, query, parameter, signal }) => {
      readFields(query, {});
      const leadId = parameter('leadId');
      if (!isLeadId(leadId)) throw notFound();
      const destinations = await destinationsOf(workspaceId).list(signal);
      const keys = destinations.flatMap(({ destinationId }) =>
        LEAD_EVENTS.map((type) => ({ destinationId, leadId, type })),
      );
      const found = await messages.find(keys, signal);
      // An erased lead still has messages.
      if (found.length === 0 && !(await leads.find(workspaceId, leadId, signal))) throw notFound();
      return ok({ messages: found.map(messageView) });
    }),
  ];
}
