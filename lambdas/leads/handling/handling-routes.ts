import { flag, listOfTexts, nullable, optional, readFields, text } from '../../owner-api/fields.ts';
import { type OwnerRoute, route } from '../../owner-api/owner-pipeline.ts';
import { ok, Problem } from '../../owner-api/problem.ts';
import { actorOf } from './actor.ts';
import type { LeadHandling } from './handling-store.ts';

const MAX_AT_ONCE = 50;
const MAX_NOTE_LENGTH = 500;
const submissionIds = listOfTexts(text({ min: 1, max: 100 }), MAX_AT_ONCE);
const HANDLED = {
  submissionIds,
  handled: flag,
  note: optional(nullable(text({ min: 0, max: MAX_NOTE_LENGTH }))),
};

export interface HandlingRouteDependencies {
  readonly handling: LeadHandling;
}

export function handlingRoutes({ handling }: HandlingRouteDependencies): OwnerRoute[] {
  return [
    route('openLeads', async ({ workspaceId, principal, body, signal }) => {
      const { submissionIds: ids } = readFields(body, { submissionIds });
      const opened = await handling.open(workspaceId, ids, actorOf(principal), signal);
      return ok({ opened, notFound: ids.filter((id) => !opened.includes(id)) });
    }),

    route('handleLeads', async ({ workspaceId, principal, body, changed: log, signal }) => {
      const { submissionIds: ids, handled, note } = readFields(body, HANDLED);
      if (!handled && note) {
        const problem = 'can only be given if handled is true';
        throw new Problem('invalid-request', { errors: [{ field: 'note', problem }] });
      }
      const change = {
        by: actorOf(principal),
        handled,
        note: note === undefined ? note : note?.trim() || null,
      };
      const changed = await handling.handle(workspaceId, ids, change, signal);
      log(targetsOf(changed, handled));
      return ok({ changed, notFound: ids.filter((id) => !changed.includes(id)) });
    }),
  ];
}

/** For the activity log: which leads, and never what the note says. */
function targetsOf(leadIds: readonly string[], handled: boolean): Record<string, string> {
  const name = leadIds.length === 1 ? 'leadId' : 'leadIds';
  return { [name]: leadIds.join(' '), handled: String(handled) };
}
