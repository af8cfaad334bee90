import { reviewsOf } from '../../model/review-item.ts';
import { VERDICTS } from '../../model/senders.ts';
import {
  cursor,
  listOfTexts,
  nullable,
  oneOf,
  optional,
  RANGE,
  readFields,
  text,
} from '../../owner-api/fields.ts';
import { type OwnerRoute, route } from '../../owner-api/owner-pipeline.ts';
import type { Principal } from '../../owner-api/principal.ts';
import { download, notFound, ok, Problem } from '../../owner-api/problem.ts';
import { mayReadLeads } from '../../owner-api/route-access.ts';
import { CONTENT_TYPES } from '../export/export-fields.ts';
import type { LeadExport } from '../export/lead-export-store.ts';
import { actorOf } from '../handling/actor.ts';
import type { LeadPages } from '../lead-pages-store.ts';
import { listedSender, wholeLead } from '../views.ts';
import type { ReviewLeads, ReviewOutcome } from './review-leads.ts';
import { readSender, SENDER_SCOPES, whyNotListable } from './sender-list.ts';
import type { Senders } from './senders-store.ts';

const MAX_AT_ONCE = 50;
const verdict = nullable(oneOf(VERDICTS));
const ONE = { verdict, sender: optional(oneOf(SENDER_SCOPES)) };
const BULK = { ...ONE, submissionIds: listOfTexts(text({ min: 1, max: 100 }), MAX_AT_ONCE) };
const SENDER = { sender: readSender, status: nullable(oneOf(['trusted', 'blocked'])) };
const EXPORT = { ...RANGE, cursor, format: optional(oneOf(['csv', 'ndjson'])) };

export interface ReviewRouteDependencies {
  readonly leads: LeadPages;
  readonly leadExport: LeadExport;
  readonly reviewLeads: ReviewLeads;
  readonly senders: Senders;
}

export function reviewRoutes({ leads, leadExport, reviewLeads }: ReviewRouteDependencies): OwnerRoute[] {
  return [
    route('reviewLead', async ({ principal, body, parameter, signal }) => {
      const { workspaceId } = principal;
      const given = readFields(body, ONE);
      const leadId = parameter('leadId');
      const decision = { verdict: given.verdict, by: actorOf(principal), sender: given.sender };
      const { notFound: missing, senders } = await reviewLeads(workspaceId, [leadId], decision, signal);
      const found = missing.length > 0 ? undefined : await leads.find(workspaceId, leadId, signal);
      if (!found) throw notFound();
      const lead = mayReadLeads(principal) ? wholeLead(found, principal) : { submissionId: leadId };
      return ok({ ...lead, senders: sendersView(senders, principal) });
    }),

    route('reviewLeads', async ({ workspaceId, principal, body, signal }) => {
      const { submissionIds, verdict: given, sender } = readFields(body, BULK);
      const { senders, ...outcome } = await reviewLeads(
        workspaceId,
        submissionIds,
        { verdict: given, by: actorOf(principal), sender },
        signal,
      );
      return ok({ ...outcome, senders: sendersView(senders, principal) });
    }),

    route('exportReviews', async ({ workspaceId, query, signal }) => {
      const { format = 'ndjson', cursor: from, ...filter } = readFields(query, EXPORT);
      const request = { workspaceId, formId: reviewsOf(workspaceId), format, filter, cursor: from };
      const page = await leadExport.page({ ...request, onlyReviewed: true }, signal);
      return download(page.content, {
        'content-type': CONTENT_TYPES[format],
        'content-disposition': `attachment; filename="reviewed-leads.${format}"`,
        ...(page.cursor !== undefined && { 'x-next-cursor': page.cursor }),
      });
    }),
  ];
}

/** `status` is null for a sender that was taken off the list. A sender is an address or a domain from a lead. */
function sendersView({ changed, full, own, domains }: ReviewOutcome['senders'], principal: Principal) {
  if (!mayReadLeads(principal)) return { full };
  return {
    changed: changed.map(({ sender, status }) => ({ sender, status })),
    full,
    domains,
    ...(own.length > 0 && { own }),
  };
}

export function senderRoutes({ senders }: Pick<ReviewRouteDependencies, 'senders'>): OwnerRoute[] {
  return [
    route('listSenders', async ({ workspaceId, query }) => {
      readFields(query, {});
      return ok({ senders: (await senders.list(workspaceId)).map(listedSender) });
    }),

    // In the body: paths and queries are written to the logs of caches and browsers, and an address is personal data.
    route('putSender', async ({ workspaceId, body }) => {
      const { sender, status } = readFields(body, SENDER);
      if (status === null) {
        await senders.remove(workspaceId, sender);
        return ok({ sender, status });
      }
      const problem = whyNotListable(sender);
      if (problem) throw new Problem('invalid-request', { errors: [{ field: 'sender', problem }] });
      return ok(listedSender(await senders.put(workspaceId, sender, status)));
    }),
  ];
}
