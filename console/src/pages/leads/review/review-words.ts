import type { InboxLead, ReviewedLeads, Verdict } from '#console/api/types.ts';

export const SENDERS_PATH = '/senders';
export const LEARNED_PATH = '/senders/learned';

const MARKED: Readonly<Record<Exclude<Verdict, null>, string>> = { good: 'not spam', spam: 'spam' };

export function verdictName(verdict: Exclude<Verdict, null>): string {
  return MARKED[verdict];
}

/** What a review did, in one or two sentences. */
export function reviewText(verdict: Verdict, { reviewed, notFound, senders }: ReviewedLeads): string {
  const leads = reviewed.length === 1 ? 'Lead' : `${reviewed.length} leads`;
  return [
    verdict === null ? `${leads}: review undone.` : `${leads} marked as ${MARKED[verdict]}.`,
    ...(notFound.length > 0 ? [`${notFound.length} not found.`] : []),
    ...sendersText(senders.changed),
    ...(senders.full ? ['The list of senders is full, so the sender was not added. Remove one first.'] : []),
    ...ownText(senders.own),
  ].join(' ');
}

/** What taking reviews back did. */
export function undoneText(outcomes: readonly ReviewedLeads[]): string {
  const missing = outcomes.reduce((sum, { notFound }) => sum + notFound.length, 0);
  return [
    'Undone.',
    ...(missing > 0 ? [`${missing} not found.`] : []),
    ...sendersText(outcomes.flatMap(({ senders }) => senders.changed ?? [])),
  ].join(' ');
}

type By = NonNullable<InboxLead['review']>['by'];

const BY: Readonly<Record<By, string>> = { you: 'you', member: 'Team', key: 'API key' };

/** "Spam (you)": what a person or an API key decided. */
export function decidedText({
  verdict,
  by,
}: Pick<NonNullable<InboxLead['review']>, 'verdict' | 'by'>): string {
  return `${verdict === 'spam' ? 'Spam' : 'Not spam'} (${BY[by]})`;
}

export function handledText({ by }: Pick<NonNullable<InboxLead['handled']>, 'by'>): string {
  return `Handled (${BY[by]})`;
}

const MAX_NAMED = 3;

function ownText(own: readonly string[] = []): string[] {
  if (own.length === 0) return [];
  const [belongs, were] = own.length === 1 ? ['belongs', 'was'] : ['belong', 'were'];
  return [`${named(own)} ${belongs} to your workspace and ${were} not blocked.`];
}

function named(senders: readonly string[]): string {
  if (senders.length > MAX_NAMED) return `${senders.length} senders`;
  return senders.join(senders.length === 2 ? ' and ' : ', ');
}

/** Members are always told which senders changed. */
function sendersText(changed: ReviewedLeads['senders']['changed'] = []): string[] {
  return (['trusted', 'blocked', null] as const).flatMap((status) => {
    const names = changed.filter((each) => each.status === status).map(({ sender }) => sender);
    if (names.length === 0) return [];
    const verb = names.length === 1 ? 'is' : 'are';
    const now = status === null ? 'no longer on the list' : status;
    return [`${named(names)} ${verb} ${status === null ? '' : 'now '}${now}.`];
  });
}
