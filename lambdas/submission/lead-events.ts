import type { StreamRecord } from './lead-item.ts';

export const LEAD_EVENTS = ['lead.accepted', 'lead.enriched', 'lead.erased'] as const;
export type LeadEventType = (typeof LEAD_EVENTS)[number];

/** What the relay announces to each consumer: ids and facts about the lead, never its content. */
export type LeadEvent = LeadChange & { readonly type: LeadEventType };

/** Everything that happens to a lead. The search index follows what is no event for others, too. */
export interface LeadChange {
  readonly type: LeadEventType | 'lead.changed';
  readonly workspaceId: string;
  readonly formId: string;
  readonly leadId: string;
  /** When it happened: received, enriched or erased. */
  readonly at: string;
  /** Unknown once the lead is erased. */
  readonly score?: number | undefined;
  readonly clean?: boolean | undefined;
}

type Image = NonNullable<NonNullable<StreamRecord['dynamodb']>['NewImage']>;

export function isLeadEvent(change: LeadChange): change is LeadEvent {
  return change.type !== 'lead.changed';
}

/**
 * What a stream record stands for; undefined for deletions and incomplete items that somebody put there by hand. An
 * enrichment that replaces a failed one comes as a modification.
 */
export function readLeadChange({ eventName, dynamodb }: StreamRecord): LeadChange | undefined {
  const image = dynamodb?.NewImage;
  const part = image?.part?.S;
  if (!image || (eventName !== 'INSERT' && !(eventName === 'MODIFY' && part === 'enrichment')))
    return undefined;
  if (part === 'lead') {
    return complete('lead.accepted', image, {
      workspaceId: image.workspaceId?.S,
      formId: image.formId?.S,
      at: image.receivedAt?.S,
    });
  }
  const owner = { workspaceId: image.workspace?.S, formId: image.form?.S };
  if (part === 'enrichment') {
    const type = image.state?.S === 'enriched' ? 'lead.enriched' : 'lead.changed';
    return complete(type, image, { ...owner, at: image.enrichedAt?.S });
  }
  return part === 'erased' ? complete('lead.erased', image, { ...owner, at: image.erasedAt?.S }) : undefined;
}

function complete(
  type: LeadChange['type'],
  image: Image,
  { workspaceId, formId, at }: Record<'workspaceId' | 'formId' | 'at', string | undefined>,
): LeadChange | undefined {
  const leadId = image.leadId?.S;
  if (!leadId || !workspaceId || !formId || !at) return undefined;
  const score = image.score?.N;
  // Only clean leads are enriched.
  const clean = type === 'lead.enriched' ? true : image.clean?.BOOL;
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

/** A lead's id begins with the time at which it was received. */
export function receivedAtOf(leadId: string): number {
  return Number.parseInt(leadId.slice(0, 8) + leadId.slice(9, 13), 16);
}
