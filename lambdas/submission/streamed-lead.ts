/** The parts of a DynamoDB stream record that are read here; values are in DynamoDB's own JSON. */
export interface StreamRecord {
  readonly eventName?: string | undefined;
  readonly dynamodb?:
    | {
        readonly NewImage?: Readonly<Record<string, StreamValue>> | undefined;
        readonly SequenceNumber?: string | undefined;
      }
    | undefined;
}

interface StreamValue {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly BOOL?: boolean | undefined;
}

/** A lead as the stream tells of it: enough to relay and to count it, without its body. */
export interface StreamedLead {
  readonly leadId: string;
  readonly workspaceId: string;
  readonly formId: string;
  readonly receivedAt: string;
  readonly score: number;
  readonly clean: boolean;
}

/**
 * Undefined for all that is no new lead: enrichments, deletions, changes, and items that somebody put there by hand
 * and left incomplete. A stream is read in order, so one item that cannot be read must not hold up the rest.
 */
export function newLeadOf({ eventName, dynamodb }: StreamRecord): StreamedLead | undefined {
  const image = dynamodb?.NewImage;
  if (eventName !== 'INSERT' || image?.part?.S !== 'lead') return undefined;
  const lead = {
    leadId: image.leadId?.S,
    workspaceId: image.workspaceId?.S,
    formId: image.formId?.S,
    receivedAt: image.receivedAt?.S,
    score: Number(image.score?.N),
    clean: image.clean?.BOOL,
  };
  const complete = Object.values(lead).every((value) => value !== undefined) && Number.isFinite(lead.score);
  return complete ? (lead as StreamedLead) : undefined;
}
