import type { Client } from '#console/api/client.ts';
import type { ListedSender, Request, ReviewedLeads, Verdict } from '#console/api/types.ts';
import { reviewText, undoneText } from './review-words.ts';
import { groupBy, patchesOf, type Step, type SteppedLead } from './step.ts';

const MAX_OFFERS = 2;

/** Gives leads a verdict. It applies to the senders' addresses; their companies are offered. */
export function reviewStep(leads: readonly SteppedLead[], verdict: Verdict): Step {
  const before = patchesOf(leads, ({ review, clean }) => ({ review, ...(clean !== undefined && { clean }) }));
  const patches = patchesOf(leads, () => (verdict === null ? { review: undefined } : patchOf(verdict)));
  return {
    before,
    patches,
    async send(client) {
      const outcome = await send(
        client,
        leads.map(({ submissionId }) => submissionId),
        verdict,
      );
      const status = verdict === 'spam' ? 'blocked' : 'trusted';
      const domains = verdict === null ? [] : (outcome.senders.domains ?? []);
      return {
        text: reviewText(verdict, outcome),
        isWhole: outcome.notFound.length === 0 && !outcome.senders.full,
        offers: domains.slice(0, MAX_OFFERS).map((domain) => ({
          text: `${verdict === 'spam' ? 'Block' : 'Trust'} everyone at ${domain}`,
          step: senderStep(domain, status),
        })),
      };
    },
    undo: {
      patches: patchesOf(leads, (lead) => ({ ...before[lead.submissionId], ...restored(lead) })),
      before: patches,
      send: (client) => restore(client, leads),
    },
  };
}

const patchOf = (verdict: Exclude<Verdict, null>) => ({
  review: { verdict, at: new Date().toISOString(), by: 'you' as const },
  clean: verdict === 'good',
});

/** The verdict of before, but given again by this person. */
const restored = ({ review }: SteppedLead) => ({ review: review && { ...review, by: 'you' as const } });

function send(client: Pick<Client, 'change'>, submissionIds: readonly string[], verdict: Verdict) {
  const body: Request<'reviewLeads'> = {
    submissionIds,
    verdict,
    ...(verdict !== null && { sender: 'address' }),
  };
  return client.change<ReviewedLeads>('POST', '/settings/leads/review', body);
}

/** Gives each lead the verdict that it had, or none. */
async function restore(client: Pick<Client, 'change'>, leads: readonly SteppedLead[]) {
  const outcomes: ReviewedLeads[] = [];
  for (const [verdict, ids] of groupBy(leads, ({ review }) => review?.verdict ?? null)) {
    outcomes.push(await send(client, ids, verdict));
  }
  return { text: undoneText(outcomes), isWhole: outcomes.every(({ notFound }) => notFound.length === 0) };
}

/** Puts a sender on the list, or takes it off. */
function senderStep(sender: string, status: ListedSender['status'] | null): Step {
  return {
    patches: {},
    before: {},
    async send(client) {
      const body: Request<'putSender'> = { sender, status };
      await client.change('PUT', '/settings/senders', body);
      const now = status === null ? 'is no longer on the list' : `is now ${status}`;
      return { text: `${sender} ${now}.`, isWhole: true };
    },
    ...(status !== null && { undo: senderStep(sender, null) }),
  };
}
