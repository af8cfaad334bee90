import { isLeadId } from '../model/lead-item.ts';
import { decodeAlertCursor, encodeAlertCursor } from '../owner-api/cursor.ts';
import { InvalidCursor } from '../owner-api/errors.ts';
import {
  cursor,
  flag,
  group,
  number,
  oneOf,
  optional,
  readFields,
  readFieldsIfAny,
  wholeNumber,
  wholeNumberText,
} from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { notFound, ok } from '../owner-api/problem.ts';
import { CHANGED, revise } from '../owner-api/revise.ts';
import { type AlertSettings, alertView, SETTINGS_RANGES } from './alert.ts';
import type { AlertReader } from './alert-reader-store.ts';

const MAX_ALERTS = 100;
const DEFAULT_LIMIT = 50;

const PAGE = {
  status: optional(oneOf(['open', 'all'])),
  cursor,
  limit: optional(wholeNumberText({ min: 1, max: MAX_ALERTS })),
};

type Range = readonly [min: number, max: number];
const whole = ([min, max]: Range) => optional(wholeNumber({ min, max }));
const enabled = optional(flag);

const { quietMinutes, senderBroken, silence, dailyLimit, destinationFailing, rotationEnding, clockDrift } =
  SETTINGS_RANGES;
const [leastFactor, mostFactor] = silence.factor;

const CHANGES = {
  quietMinutes: whole(quietMinutes),
  senderBroken: optional(group({ enabled, afterMinutes: whole(senderBroken.afterMinutes) })),
  silence: optional(group({ enabled, factor: optional(number({ min: leastFactor, max: mostFactor })) })),
  dailyLimit: optional(group({ enabled, percent: whole(dailyLimit.percent) })),
  destinationFailing: optional(group({ enabled, afterMinutes: whole(destinationFailing.afterMinutes) })),
  rotationEnding: optional(group({ enabled, withinHours: whole(rotationEnding.withinHours) })),
  clockDrift: optional(group({ enabled, seconds: whole(clockDrift.seconds) })),
};
type Changes = { readonly [Name in keyof typeof CHANGES]: ReturnType<(typeof CHANGES)[Name]> };

export interface AlertRouteDependencies {
  readonly alerts: AlertReader;
  readonly now: () => number;
}

/** What is wrong, what was, and when the owner wants to hear of it. */
export function alertRoutes({ alerts, now }: AlertRouteDependencies): OwnerRoute[] {
  return [
    route('listAlerts', async ({ workspaceId, principal, query, signal }) => {
      const { status = 'all', cursor: from, limit } = readFields(query, PAGE);
      if (status === 'open') {
        // They fit on one page.
        if (from !== undefined) throw new InvalidCursor();
        const open = await alerts.open(workspaceId, signal);
        return ok({ alerts: open.slice(0, limit).map((alert) => alertView(alert, principal)) });
      }
      const before = from === undefined ? undefined : decodeAlertCursor(from);
      const page = await alerts.page(workspaceId, { limit: limit ?? DEFAULT_LIMIT, before }, signal);
      return ok({
        alerts: page.alerts.map((alert) => alertView(alert, principal)),
        ...(page.next !== undefined && { cursor: encodeAlertCursor(page.next) }),
      });
    }),

    route('getAlert', async ({ workspaceId, principal, query, parameter, signal }) => {
      readFields(query, {});
      const alertId = parameter('alertId');
      const alert = isLeadId(alertId) ? await alerts.find(workspaceId, alertId, signal) : undefined;
      if (!alert) throw notFound();
      return ok(alertView(alert, principal));
    }),

    route('acknowledgeAlert', async ({ workspaceId, principal, body, parameter, signal }) => {
      readFieldsIfAny(body, {});
      const alertId = parameter('alertId');
      const { kind, id } = principal;
      const seen = { at: new Date(now()).toISOString(), kind, id };
      const alert = isLeadId(alertId) ? await alerts.see(workspaceId, alertId, seen, signal) : undefined;
      if (!alert) throw notFound();
      return ok(alertView(alert, principal));
    }),

    route('getAlertSettings', async ({ workspaceId, query, signal }) => {
      readFields(query, {});
      return ok((await alerts.settings(workspaceId, signal)).settings);
    }),

    route('changeAlertSettings', async ({ workspaceId, body, signal }) => {
      const changes = readFields(body, CHANGES);
      const changed = await revise(
        () => alerts.settings(workspaceId, signal),
        async (seen) => {
          const settings = applyChanges(seen.settings, changes);
          const isWritten = await alerts.changeSettings(workspaceId, settings, seen, signal);
          return isWritten ? settings : CHANGED;
        },
      );
      return ok(changed);
    }),
  ];
}

/** What is missing stays as it is. */
function applyChanges(current: AlertSettings, changes: Changes): AlertSettings {
  return {
    quietMinutes: changes.quietMinutes ?? current.quietMinutes,
    senderBroken: merge(current.senderBroken, changes.senderBroken),
    silence: merge(current.silence, changes.silence),
    dailyLimit: merge(current.dailyLimit, changes.dailyLimit),
    destinationFailing: merge(current.destinationFailing, changes.destinationFailing),
    rotationEnding: merge(current.rotationEnding, changes.rotationEnding),
    clockDrift: merge(current.clockDrift, changes.clockDrift),
  };
}

function merge<Group extends object>(
  current: Group,
  changes: { readonly [Name in keyof Group]?: Group[Name] | undefined } = {},
): Group {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(given) };
}
