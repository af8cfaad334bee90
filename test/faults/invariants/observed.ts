import { fromLeadItem, type Lead } from '#model/lead-item.ts';
import { plainValues } from '../double/wire-format.ts';
import { isGateWrite } from '../machine/outcome.ts';
import { PATIENCE, type SubmissionRecord } from '../service/sender.ts';
import type { World } from '../service/world.ts';

type Values = Record<string, unknown>;

/** A stored lead, and the submission that made it. */
export interface StoredLead {
  readonly lead: Lead;
  readonly madeBy: SubmissionRecord | undefined;
  readonly enrichment: Values | undefined;
}

/** The state at the end of a schedule. */
export interface Observed {
  readonly world: World;
  readonly leads: readonly StoredLead[];
  readonly workspace: Values;
}

export function observe(world: World): Observed {
  const items = (table: string): Values[] => world.double.table(table).all().map(plainValues);
  const parts = items('leads');
  const isOwn = ({ workspaceId }: Values) => workspaceId === world.sender.workspaceId;
  const leads = parts
    .filter(({ part }) => part === 'lead')
    .map((item) => {
      const lead = fromLeadItem(item);
      const { ref } = JSON.parse(lead.body) as { ref?: string };
      return {
        lead,
        madeBy: world.submissions.find(({ name }) => name === ref),
        enrichment: parts.find(({ part, leadId }) => part === 'enrichment' && leadId === lead.leadId),
      };
    });
  return { world, leads, workspace: items('workspaces').find(isOwn) ?? {} };
}

/** Undefined unless the response says that a lead is stored: a `202`, and on Surface 1c a `200`. */
export function submissionIdOf({ surface, response }: SubmissionRecord): string | undefined {
  if (response?.statusCode !== (surface === '1c' ? 200 : 202)) return undefined;
  return (JSON.parse(response.body) as { submission_id?: string }).submission_id;
}

const RECORDING_TABLES = new Set(['diagnostics', 'rejections', 'unauthenticatedRejections']);

/**
 * Retries absorb one store failure, so a single fault is no excuse, but a second one is. Faults while recording a
 * rejection or the last use of a token never change a response, so they are no excuse. Nor is a gate that is only
 * throttled, until the deadline has passed.
 */
export function isExcused({ died, faults, started, responded }: SubmissionRecord): boolean {
  const late = responded !== undefined && responded.at - started.at >= PATIENCE.deadlineMilliseconds;
  const counted = faults.filter(({ table }) => !RECORDING_TABLES.has(table));
  const onlyThrottledGate = counted.every((each) => each.outcome === 'throttled' && isGateWrite(each));
  return died || (counted.length > 1 && (late || !onlyThrottledGate));
}
