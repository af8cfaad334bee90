import type { LeadEvent } from '../../model/lead-events.ts';

/** A lead of which the index is to be brought up to date. After `lead.accepted` it has no entries yet. */
export type IndexMessage = Pick<LeadEvent, 'type' | 'workspaceId' | 'leadId'>;

export function readIndexMessage(body: string): IndexMessage {
  const { type, workspaceId, leadId } = JSON.parse(body) as Partial<Record<keyof IndexMessage, unknown>>;
  const isComplete = [type, workspaceId, leadId].every((text) => typeof text === 'string' && text !== '');
  if (!isComplete) throw new Error('a message that names no lead');
  return { type, workspaceId, leadId } as IndexMessage;
}
