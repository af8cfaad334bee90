import type { ActivityLog } from './activity-store.ts';
import type { OwnerTelemetry, Step } from './owner-request.ts';
import type { HttpResponse } from './problem.ts';
import { isChange } from './route-access.ts';
import { patternOf } from './route-table.ts';

interface ActivityOptions {
  readonly activity?: ActivityLog;
  readonly telemetry: OwnerTelemetry;
}

/**
 * Writes each successful change down, with ids only. The change has been made by then: if the log cannot be written,
 * the response stays the same, and operators are told.
 */
export function recordActivity({ activity, telemetry }: ActivityOptions): Step {
  return {
    after: async function recordActivityAfter({ event, response }) {
      const { principal, route, alsoChanged = [], signal } = event;
      if (!activity || !principal || !route || !isChange(route)) return;
      if ((response?.statusCode ?? 500) >= 300) return;
      const action = patternOf(route);
      const targets = {
        ...idsIn(response ?? undefined),
        ...idsOf(event.pathParameters ?? {}),
        ...event.targets,
      };
      for (const change of [...alsoChanged, { action, targets }]) {
        try {
          await activity.record(principal.workspaceId, { actor: principal, ...change }, signal);
        } catch (error) {
          telemetry.activityLost(error, event, change.targets);
        }
      }
    },
  };
}

/** The ids of what a request made. */
function idsIn(response: HttpResponse | undefined): Record<string, string> {
  const isJson = response?.headers?.['content-type'] === 'application/json';
  return isJson ? idsOf(JSON.parse(response?.body || '{}')) : {};
}

/** Nothing but ids: each is a name that ends in `Id` with a value that can hold no text. */
function idsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const ids = Object.entries(values).filter(
    ([name, value]) => /Id$/.test(name) && typeof value === 'string' && /^[\w-]{1,128}$/.test(value),
  );
  return Object.fromEntries(ids) as Record<string, string>;
}
