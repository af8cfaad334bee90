import { fieldsOfLead } from '../../model/lead-fields.ts';
import type { Lead } from '../../model/lead-item.ts';
import { type Check, cursor, Fault, oneOf, optional, readFields, text } from '../../owner-api/fields.ts';
import { type OwnerRoute, route } from '../../owner-api/owner-pipeline.ts';
import { download, notFound, ok } from '../../owner-api/problem.ts';
import {
  decodeErasureCursor,
  decodeListCursor,
  encodeErasureCursor,
  encodeListCursor,
} from '../lead-cursors.ts';
import { markOf } from '../lead-filter.ts';
import type { LeadPages } from '../lead-pages-store.ts';
import { contactOfLead, type LeadContact, normalizeEmail } from '../search/lead-contact.ts';
import { erasureView, relatedView } from '../views.ts';
import { type ErasureContext, erasePerson } from './erase-person.ts';
import type { IndexBacklog } from './index-backlog-store.ts';
import type { PersonExport } from './person-export-store.ts';
import type { PersonFinder } from './person-store.ts';
import { findRelated, type ShowLeads } from './related-leads.ts';

const MAX_EMAIL_LENGTH = 320;

/** Any text that leads may have in place of an address, so that what was mistyped can be erased too. */
const email: Check<string> = (value) => {
  const normalized = normalizeEmail(text({ min: 1, max: MAX_EMAIL_LENGTH })(value));
  if (normalized === undefined) throw new Fault('must be an email address');
  return normalized;
};

/** In the body, since an address in the URL would stay in histories and logs along the way. */
const PERSON = { email, cursor };
const ERASURE = { ...PERSON, mentioned: optional(oneOf(['erase', 'keep'])) };

export interface PeopleRouteDependencies {
  readonly leads: LeadPages;
  readonly leadIndex: ErasureContext['index'];
  readonly indexBacklog: IndexBacklog;
  readonly showLeads: ShowLeads;
  readonly personFinder: PersonFinder;
  readonly personExport: PersonExport;
  readonly now: () => number;
}

/** The leads of one person. */
export function peopleRoutes(dependencies: PeopleRouteDependencies): OwnerRoute[] {
  const { leads, leadIndex: index, indexBacklog: backlog, personFinder: finder } = dependencies;
  const { personExport, showLeads, now } = dependencies;
  return [
    route('listRelatedLeads', async ({ workspaceId, principal, query, parameter, signal }) => {
      readFields(query, {});
      const found = await leads.find(workspaceId, parameter('leadId'), signal);
      if (!found) throw notFound();
      const address = { workspaceId, leadId: found.lead.leadId };
      const given = contactIn(found.lead);
      const isKnown = given.email !== undefined || given.phone !== undefined;
      // A damaged lead has nothing but its entry.
      const contact = isKnown ? given : ((await finder.contactOf(address, signal)) ?? given);
      const related = await findRelated({ finder, showLeads, now }, address, contact, signal);
      return ok(relatedView(related, contact.email, principal));
    }),

    route('exportPerson', async ({ workspaceId, body, signal }) => {
      const { email: address, cursor: from } = readFields(body, PERSON);
      const mark = markOf(['person', address]);
      const olderThan = from === undefined ? undefined : decodeListCursor(from, mark);
      const page = await personExport.page({ workspaceId, email: address, olderThan }, signal);
      return download(page.content, {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': 'attachment; filename="person.ndjson"',
        ...(page.resumeAfter && { 'x-next-cursor': encodeListCursor(mark, page.resumeAfter) }),
      });
    }),

    route('erasePerson', async ({ workspaceId, body, signal }) => {
      const { email: address, cursor: from, mentioned } = readFields(body, ERASURE);
      const mark = markOf(['erasure', address]);
      const askedAt = from === undefined ? now() : decodeErasureCursor(from, mark);
      const request = { workspaceId, email: address, mentioned, askedAt };
      const outcome = await erasePerson({ finder, leads, index, backlog }, request, signal);
      return ok(erasureView(outcome, encodeErasureCursor(mark, askedAt)));
    }),
  ];
}

/** A lead that somebody damaged has no contact: it is listed, and can be erased. */
function contactIn(lead: Lead): LeadContact {
  return contactOfLead(fieldsOfLead(lead) ?? {}, lead.roles);
}
