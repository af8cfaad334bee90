import { fromLeadItem, type Lead } from '#submission/lead-item.ts';
import { plainValues } from '../double/attribute-value.ts';
import { isGateWrite } from '../machine/outcome.ts';
import type { SubmissionRecord } from '../service/background.ts';
import { PATIENCE } from '../service/sender.ts';
import type { World } from '../service/world.ts';

type Values = Record<string, unknown>;

/** A stored lead, and the submission whose body it holds. */
export interface StoredLead {
  readonly lead: Lead;
  readonly madeBy: SubmissionRecord | undefined;
  readonly enrichment: Values | undefined;
}

/** What is there when all is over. */
export interface Observed {
  readonly world: World;
  readonly leads: readonly StoredLead[];
  readonly workspace: Values;
}

export function observe(world: World): Observed {
  const items = (table: string): Values[] => world.double.table(table).all().map(plainValues);
  const parts = items('leads');
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
  return { world, leads, workspace: items('workspaces')[0] ?? {} };
}

export function submissionIdOf({ answer }: SubmissionRecord): string | undefined {
  if (answer?.statusCode !== 202) return undefined;
  return (JSON.parse(answer.body) as { submission_id: string }).submission_id;
}

const RECORDING_TABLES = new Set(['diagnostics', 'rejections', 'unauthenticatedRejections']);

/**
 * One failure of a store is absorbed: the call is tried again, and the submission ends as if nothing had happened. So a
 * single fault excuses nothing, a second one may. Recording a rejection, or the last use of a token, changes no
 * answer, so that faults there are no excuse at all. Nor is a gate that is throttled, and suffers nothing else, until
 * the deadline has passed.
 */
export function isExcused({ died, strikes, started, answered }: SubmissionRecord): boolean {
  const late = answered !== undefined && answered.at - started.at >= PATIENCE.deadlineMilliseconds;
  const counted = strikes.filter(({ table }) => !RECORDING_TABLES.has(table));
  const onlyThrottledGate = counted.every((each) => each.outcome === 'throttled' && isGateWrite(each));
  return died || (counted.length > 1 && (late || !onlyThrottledGate));
}
