import type { Principal } from '../../access/principal.ts';
import { mayReadLeads } from '../../access/route-access.ts';
import { reviewsOf } from '../../submission/review-item.ts';
import { VERDICTS } from '../../submission/senders.ts';
import { cursor, listOfTexts, nullable, oneOf, optional, RANGE, readFields, text } from '../fields.ts';
import { type OwnerRoute, route } from '../owner-pipeline.ts';
import { download, notFound, ok, Problem } from '../problem.ts';
import type { ReviewOutcome } from '../reviews/review-leads.ts';
import { readSender, whyNotListable } from '../reviews/sender-list.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';
import { listedSender, wholeLead } from '../views.ts';
import { CONTENT_TYPES } from './leads.ts';

const MOST_AT_ONCE = 50;
const verdict = nullable(oneOf(VERDICTS));
const BULK = { verdict, submissionIds: listOfTexts(text({ min: 1, max: 100 }), MOST_AT_ONCE) };
const SENDER = { sender: readSender, status: nullable(oneOf(['trusted', 'blocked'])) };
const EXPORT = { ...RANGE, cursor, format: optional(oneOf(['csv', 'ndjson'])) };

type Dependencies = Pick<SettingsDependencies, 'leads' | 'leadExport' | 'reviewLeads'>;

export function reviewRoutes({ leads, leadExport, reviewLeads }: Dependencies): OwnerRoute[] {
  return [
    route('POST /settings/leads/{leadId}/review', async ({ principal, body, parameter, signal }) => {
      const { workspaceId } = principal;
      const given = readFields(body, { verdict });
      const leadId = parameter('leadId');
      const { notFound: missing, senders } = await reviewLeads(workspaceId, [leadId], given.verdict, signal);
      const found = missing.length > 0 ? undefined : await leads.find(workspaceId, leadId, signal);
      if (!found) throw notFound();
      const lead = mayReadLeads(principal) ? wholeLead(found) : { submissionId: leadId };
      return ok({ ...lead, senders: sendersView(senders, principal) });
    }),

    route('POST /settings/leads/review', async ({ workspaceId, principal, body, signal }) => {
      const { submissionIds, verdict: given } = readFields(body, BULK);
      const { senders, ...outcome } = await reviewLeads(workspaceId, submissionIds, given, signal);
      return ok({ ...outcome, senders: sendersView(senders, principal) });
    }),

    route('GET /settings/reviews/export', async ({ workspaceId, query, signal }) => {
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
function sendersView({ changed, full }: ReviewOutcome['senders'], principal: Principal) {
  if (!mayReadLeads(principal)) return { full };
  return { changed: changed.map(({ sender, status }) => ({ sender, status })), full };
}

export function senderRoutes({ senders }: Pick<SettingsDependencies, 'senders'>): OwnerRoute[] {
  return [
    route('GET /settings/senders', async ({ workspaceId, query }) => {
      readFields(query, {});
      return ok({ senders: (await senders.list(workspaceId)).map(listedSender) });
    }),

    // In the body: paths and queries are written to the logs of caches and browsers, and an address is personal data.
    route('PUT /settings/senders', async ({ workspaceId, body }) => {
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
