import { MESSAGE_STATUSES } from '../../sending/message.ts';
import { LEAD_EVENTS } from '../../submission/lead-events.ts';
import { messageView } from '../destination-views.ts';
import { cursor, moment, oneOf, optional, readFields, readFieldsIfAny, wholeNumberText } from '../fields.ts';
import { decodeMessageCursor, encodeMessageCursor } from '../leads/cursor.ts';
import { isLeadId } from '../leads/lead-filter.ts';
import { type OwnerRoute, route } from '../owner-pipeline.ts';
import { accepted, notFound, ok } from '../problem.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';

const PAGE = {
  status: optional(oneOf(MESSAGE_STATUSES)),
  cursor,
  limit: optional(wholeNumberText({ min: 1, max: 100 })),
};
const DEFAULT_LIMIT = 50;

type Dependencies = Pick<SettingsDependencies, 'destinationsOf' | 'messages' | 'leads'>;

/** What was sent to destinations, and how they answered. */
export function messageRoutes({ destinationsOf, messages, leads }: Dependencies): OwnerRoute[] {
  return [
    route('GET /settings/destinations/{destinationId}/messages', async (request) => {
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

    route('POST /settings/destinations/{destinationId}/replay', async (request) => {
      const { workspaceId, body, parameter, signal } = request;
      const { since } = readFields(body, { since: moment });
      const destinationId = parameter('destinationId');
      await destinationsOf(workspaceId).replaySince(destinationId, since, signal);
      return accepted({ destinationId, since: new Date(since).toISOString() });
    }),

    route('GET /settings/messages/{messageId}', async ({ workspaceId, query, parameter, signal }) => {
      readFields(query, {});
      const message = await destinationsOf(workspaceId).requireMessage(parameter('messageId'), signal);
      return ok(messageView(message));
    }),

    route('POST /settings/messages/{messageId}/replay', async ({ workspaceId, body, parameter, signal }) => {
      readFieldsIfAny(body, {});
      const messageId = parameter('messageId');
      await destinationsOf(workspaceId).replay(messageId, signal);
      return accepted({ messageId });
    }),

    route('GET /settings/leads/{leadId}/messages', async ({ workspaceId, query, parameter, signal }) => {
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
