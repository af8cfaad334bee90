import type { Lead, Message, MessageStatus } from '#console/api/types.ts';
import { surfaceName } from '#console/shared/display-text.ts';

export type StepStatus = 'success' | 'info' | 'warning' | 'error' | 'pending' | 'stopped';

export interface TimelineStep {
  readonly status: StepStatus;
  readonly text: string;
  /** Absent if it hasn't happened. */
  readonly at?: string | undefined;
}

/** What happened to a lead, oldest first; what hasn't happened comes last. Without messages until they are loaded. */
export function timelineOf(
  lead: Lead,
  messages: readonly Message[] | undefined,
  destinationName: (destinationId: string) => string,
): TimelineStep[] {
  const later = [
    ...reviewed(lead),
    ...followed(lead),
    enriched(lead),
    ...(messages?.map((message) => forwarded(message, destinationName(message.destinationId))) ?? []),
    ...(messages?.length === 0 ? [{ status: 'stopped', text: 'Not forwarded' } as const] : []),
  ];
  return [
    { status: 'success', text: `Received via ${surfaceName(lead.surface)}`, at: lead.receivedAt },
    // The person of a test is fictional, so its score says nothing.
    ...(lead.test ? [] : [scored(lead)]),
    ...later.toSorted((a, b) => momentOf(a) - momentOf(b)),
  ];
}

function momentOf({ at }: TimelineStep): number {
  // Not infinite: the difference of two would not be a number.
  return at === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(at);
}

/** A lead is scored when it is received. */
function scored({ score, clean, scoredClean = clean, sender, receivedAt }: Lead): TimelineStep {
  const listed = sender === undefined ? '' : `, from a ${sender} sender`;
  return {
    status: scoredClean ? 'success' : 'warning',
    text: `Scored ${score} of 100, ${scoredClean ? 'clean' : 'not clean'}${listed}`,
    at: receivedAt,
  };
}

function reviewed({ review }: Lead): TimelineStep[] {
  if (!review) return [];
  const isGood = review.verdict === 'good';
  return [
    {
      status: isGood ? 'success' : 'warning',
      text: `Reviewed: ${isGood ? 'not spam' : 'spam'}`,
      at: review.at,
    },
  ];
}

/** What the team did about it. */
function followed({ opened, handled }: Lead): TimelineStep[] {
  return [
    ...(opened ? [{ status: 'info', text: 'Opened', at: opened.at } as const] : []),
    ...(handled ? [{ status: 'success', text: 'Handled', at: handled.at } as const] : []),
  ];
}

function enriched({ enrichment, test }: Lead): TimelineStep {
  const at = 'enrichedAt' in enrichment ? enrichment.enrichedAt : undefined;
  switch (enrichment.state) {
    case 'enriched':
      return { status: 'success', text: 'Enriched', at };
    case 'failed':
      return { status: 'info', text: 'Enrichment found nothing', at };
    case 'pending':
      return { status: 'pending', text: 'Enrichment pending' };
    case 'skipped':
      return { status: 'stopped', text: `Not enriched, because it ${test ? 'is a test' : 'isn’t clean'}` };
  }
}

const FORWARDING: Readonly<Record<MessageStatus, readonly [StepStatus, (name: string) => string]>> = {
  delivered: ['success', (name) => `Forwarded to ${name}`],
  waiting: ['pending', (name) => `Forwarding to ${name} is being retried`],
  parked: ['pending', (name) => `Forwarding to ${name} is on hold`],
  failed: ['error', (name) => `Couldn’t forward to ${name}`],
  cancelled: ['stopped', (name) => `Forwarding to ${name} was canceled`],
};

function forwarded({ status, type, attempts, createdAt }: Message, name: string): TimelineStep {
  const [stepStatus, words] = FORWARDING[status];
  const text = type === 'lead.enriched' ? `${words(name)} (enrichment)` : words(name);
  return { status: stepStatus, text, at: attempts.at(-1)?.at ?? createdAt };
}
