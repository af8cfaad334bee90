import type { StreamRecord } from './stream-record.ts';

/** The events that a destination can subscribe to. */
export const LEAD_EVENTS = ['lead.accepted', 'lead.enriched', 'lead.erased'] as const;
/**
 * Three stay within the service. Destinations hear of a review only if it makes the lead clean; of a failed enrichment,
 * and of a lead that was opened, handled or is to do again, only the search index does.
 */
export type LeadEventType =
  | (typeof LEAD_EVENTS)[number]
  | 'lead.reviewed'
  | 'lead.handled'
  | 'lead.enrichment_failed';

/** What the relay announces to each consumer: ids and facts about the lead, never its content. */
export interface LeadEvent<Type extends LeadEventType = LeadEventType> {
  readonly type: Type;
  readonly workspaceId: string;
  readonly formId: string;
  readonly leadId: string;
  /** When it happened: received, enriched, reviewed, first opened or erased. */
  readonly at: string;
  /** Unknown once the lead is erased. */
  readonly score?: number | undefined;
  readonly clean?: boolean | undefined;
  /** Of `lead.reviewed`: the lead was not clean before. Of `lead.accepted`: it was announced before, as not clean. */
  readonly madeClean?: boolean | undefined;
}

/** The events that destinations can receive. */
export type ForwardedEvent = LeadEvent<(typeof LEAD_EVENTS)[number]>;

type Image = NonNullable<NonNullable<StreamRecord['dynamodb']>['NewImage']>;

/**
 * The event that a stream record stands for; undefined for deletions and incomplete items that somebody put there by hand.
 * A lead that changes was opened or handled, or was so before: that it was reviewed, another item says. An enrichment that replaces a failed one comes as a change, and so does a verdict that replaces another.
 */
export function readLeadEvent({ eventName, dynamodb }: StreamRecord): LeadEvent | undefined {
  const image = dynamodb?.NewImage;
  const part = image?.part?.S;
  if (!image || (eventName !== 'INSERT' && eventName !== 'MODIFY')) return undefined;
  if (part === 'lead') {
    const lead = { workspaceId: image.workspaceId?.S, formId: image.formId?.S };
    return eventName === 'INSERT'
      ? complete('lead.accepted', image, { ...lead, at: image.receivedAt?.S })
      : complete('lead.handled', image, { ...lead, at: image.opened?.M?.at?.S });
  }
  if (part === 'review') {
    const event = complete('lead.reviewed', image, {
      workspaceId: image.workspaceId?.S,
      formId: image.form?.S,
      at: image.at?.S,
    });
    return event && image.madeClean?.BOOL ? { ...event, madeClean: true } : event;
  }
  const owner = { workspaceId: image.workspace?.S, formId: image.form?.S };
  if (part === 'enrichment') {
    const type = image.state?.S === 'enriched' ? 'lead.enriched' : 'lead.enrichment_failed';
    // Announced once more, after a review has made the lead clean.
    return complete(type, image, { ...owner, at: image.announcedAt?.S ?? image.enrichedAt?.S });
  }
  const isErased = part === 'erased' && eventName === 'INSERT';
  return isErased ? complete('lead.erased', image, { ...owner, at: image.erasedAt?.S }) : undefined;
}

function complete(
  type: LeadEventType,
  image: Image,
  { workspaceId, formId, at }: Record<'workspaceId' | 'formId' | 'at', string | undefined>,
): LeadEvent | undefined {
  const leadId = image.leadId?.S;
  if (!leadId || !workspaceId || !formId || !at) return undefined;
  const score = image.score?.N;
  // Only clean leads are enriched. An enrichment says so itself if a review came first; older ones say nothing.
  const clean = image.clean?.BOOL ?? (type === 'lead.enriched' ? true : undefined);
  return {
    type,
    workspaceId,
    formId,
    leadId,
    at,
    score: score === undefined ? undefined : Number(score),
    clean,
  };
}

const HOURS_48_SECONDS = 48 * 60 * 60;

/**
 * Takes the place of an erased lead until the event has been announced. It names workspace and form by other
 * attributes than a lead does, so that the index by form does not list it.
 */
export function toErasedItem(
  { leadId, workspaceId, formId }: Pick<LeadEvent, 'leadId' | 'workspaceId' | 'formId'>,
  erasedAtMilliseconds: number,
) {
  return {
    leadId,
    part: 'erased',
    workspace: workspaceId,
    form: formId,
    erasedAt: new Date(erasedAtMilliseconds).toISOString(),
    expiresAt: Math.ceil(erasedAtMilliseconds / 1000) + HOURS_48_SECONDS,
    v: 1,
  };
}

/**
 * What destinations are told. A review that makes a lead clean announces it a second time, for the destinations that
 * get clean leads only; other reviews are not announced.
 */
export function toForwardedEvent({ type, ...event }: LeadEvent): ForwardedEvent | undefined {
  if (type === 'lead.enrichment_failed' || type === 'lead.handled') return undefined;
  if (type !== 'lead.reviewed') return { type, ...event };
  return event.madeClean ? { type: 'lead.accepted', ...event } : undefined;
}

/** Clean leads: new ones, and reviewed ones, which may not have been clean when their turn came. */
export function isToEnrich({ type, clean }: LeadEvent): boolean {
  return (type === 'lead.accepted' || type === 'lead.reviewed') && clean === true;
}

/** Asks for a workspace's verdicts to be learned from again. */
export interface LearnMessage {
  readonly task: 'learn';
  readonly workspaceId: string;
  /** Only to unlearn: nothing is to be done for a workspace that has learned nothing. */
  readonly ifLearned?: true;
}

export function toLearnMessage({ type, workspaceId }: LeadEvent): LearnMessage {
  return { task: 'learn', workspaceId, ...(type === 'lead.erased' && { ifLearned: true }) };
}

export function readLearnMessage(text: string): LearnMessage | undefined {
  try {
    const { task, workspaceId, ifLearned } = JSON.parse(text) as Partial<LearnMessage>;
    if (task !== 'learn' || typeof workspaceId !== 'string' || workspaceId === '') return undefined;
    return { task, workspaceId, ...(ifLearned === true && { ifLearned }) };
  } catch {
    return undefined;
  }
}

/** After these events a workspace learns again. One event per workspace is enough, a review rather than an erasure. */
export function eventsToLearnFrom(events: readonly LeadEvent[]): LeadEvent[] {
  const chosen = new Map<string, LeadEvent>();
  for (const event of events) {
    if (event.type !== 'lead.reviewed' && event.type !== 'lead.erased') continue;
    if (chosen.get(event.workspaceId)?.type !== 'lead.reviewed') chosen.set(event.workspaceId, event);
  }
  return [...chosen.values()];
}

/** A lead's id begins with the time at which it was received. */
export function receivedAtOf(leadId: string): number {
  return Number.parseInt(leadId.slice(0, 8) + leadId.slice(9, 13), 16);
}
