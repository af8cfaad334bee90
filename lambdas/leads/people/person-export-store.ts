import { LEAD_EVENTS } from '../../model/lead-events.ts';
import type { DestinationReader } from '../../sending/destinations-store.ts';
import { type Message, messageId } from '../../sending/message.ts';
import type { MessageReader } from '../../sending/message-reader-store.ts';
import { FIRST_GROUP, openPage } from '../export/export-page.ts';
import { ndjsonLeadLine } from '../export/lead-lines.ts';
import { personKey } from '../search/lead-contact.ts';
import { type LeadReaderContext, readWholeLeads, type WholeLead } from '../whole-leads-store.ts';
import type { PersonFinder } from './person-store.ts';

export interface PersonExportContext extends LeadReaderContext {
  readonly finder: PersonFinder;
  readonly destinations: Pick<DestinationReader, 'list'>;
  readonly messages: Pick<MessageReader, 'find'>;
}

export interface PersonExportRequest {
  /** From the session, never from the request. */
  readonly workspaceId: string;
  /** As `normalizeEmail` returns it. */
  readonly email: string;
  readonly olderThan?: string | undefined;
}

export interface PersonExportPage {
  /** One line of JSON per lead, newest first. */
  readonly content: Buffer;
  readonly leads: number;
  /** The lead after which to continue; absent on the last page. */
  readonly resumeAfter?: string | undefined;
}

export interface PersonExport {
  page(request: PersonExportRequest, signal: AbortSignal): Promise<PersonExportPage>;
}

/** Bounds the time of a call. */
const MAX_QUERIES = 20;
const KEYS_IN_A_BATCH = 100;

/** Everything that is stored about the leads with an email address. */
export function makePersonExport(context: PersonExportContext): PersonExport {
  const { finder, destinations, messages } = context;

  async function messagesOf(
    leadIds: readonly string[],
    destinationIds: readonly string[],
    signal: AbortSignal,
  ) {
    const keys = leadIds.flatMap((leadId) =>
      destinationIds.flatMap((destinationId) => LEAD_EVENTS.map((type) => ({ destinationId, leadId, type }))),
    );
    const found: Message[] = [];
    for (let from = 0; from < keys.length; from += KEYS_IN_A_BATCH) {
      found.push(...(await messages.find(keys.slice(from, from + KEYS_IN_A_BATCH), signal)));
    }
    return Map.groupBy(found, ({ leadId }) => leadId);
  }

  /** Groups of whole leads with their messages, and the lead after which the next group begins. */
  async function* groups({ workspaceId, email, olderThan }: PersonExportRequest, signal: AbortSignal) {
    const person = { workspaceId, key: personKey('email', email) };
    const read = { olderThan, consistent: true };
    const receivers = await destinations.list(workspaceId, signal);
    const receiverIds = receivers.map(({ destinationId }) => destinationId);
    let queries = 0;
    for await (const { leads: found, readTo } of finder.find(person, read, signal)) {
      const leads = found.filter(({ mentioned }) => !mentioned);
      for (let from = 0; from < leads.length; from += FIRST_GROUP) {
        const entries = leads.slice(from, from + FIRST_GROUP);
        // The list may be late to know that a lead was enriched: both parts are read of each.
        const asClean = entries.map(({ leadId }) => ({ leadId, clean: true }));
        const whole = await readWholeLeads(context, workspaceId, asClean, signal);
        const leadIds = whole.map(({ lead }) => lead.leadId);
        const sent = await messagesOf(leadIds, receiverIds, signal);
        yield { whole, sent, resumeAfter: entries.at(-1)?.leadId };
      }
      queries += 1;
      yield { whole: [], sent: new Map<string, Message[]>(), resumeAfter: readTo };
      if (queries === MAX_QUERIES) return;
    }
  }

  async function page(request: PersonExportRequest, signal: AbortSignal): Promise<PersonExportPage> {
    const content = openPage('');
    let resumeAfter = request.olderThan;
    const end = () => ({ content: content.join(), leads: content.lines(), resumeAfter });
    for await (const group of groups(request, signal)) {
      for (const lead of group.whole) {
        if (!content.add(personLine(lead, group.sent.get(lead.lead.leadId) ?? []))) return end();
        resumeAfter = lead.lead.leadId;
      }
      resumeAfter = group.resumeAfter;
    }
    return end();
  }

  return { page };
}

/** Like a line of a form's export, and what a form's export need not say. */
function personLine(exported: WholeLead, messages: readonly Message[]): string {
  const sent = messages.map((message) => ({
    message_id: messageId(message),
    destination_id: message.destinationId,
    type: message.type,
    status: message.status,
    created_at: message.createdAt,
  }));
  const head = JSON.stringify({ messages: sent });
  return `${head.slice(0, -1)},${ndjsonLeadLine(exported).slice(1)}`;
}
