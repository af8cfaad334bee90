import { ALL_SURFACES, LIMITS } from '../model/limits.ts';
import { alertKey, type Finding } from './alert.ts';
import { brokenSenders, lostDeliveries, revokedTokens, silentSenders } from './sender-rules.ts';
import {
  DAY,
  HOUR,
  isPreviousSecret,
  MINUTE,
  type SenderUse,
  type Snapshot,
  type Watch,
} from './snapshot.ts';

/** Every problem of the workspace. */
export function findProblems(snapshot: Snapshot, watch: Watch): Finding[] {
  const { settings } = watch;
  const broken = settings.senderBroken.enabled
    ? [...brokenSenders(snapshot, watch), ...revokedTokens(snapshot, watch)]
    : [];
  const isBroken = (finding: Finding) => broken.some((each) => isSameInlet(each, finding));
  const silent = settings.silence.enabled ? silentSenders(snapshot, watch) : [];
  const warnings = [
    ...(settings.senderBroken.enabled ? lostDeliveries(snapshot, watch) : []),
    ...(settings.rotationEnding.enabled ? endingRotations(snapshot, watch) : []),
    ...(settings.clockDrift.enabled ? driftingClocks(snapshot, watch) : []),
  ];
  // No warning about what has already happened.
  return [
    ...broken,
    ...[...silent, ...warnings].filter((finding) => !isBroken(finding)),
    ...(settings.dailyLimit.enabled ? dailyLimits(snapshot, watch) : []),
    ...(settings.destinationFailing.enabled ? failingDestinations(snapshot, watch) : []),
    ...(settings.destinationFailing.enabled ? slowDestinations(snapshot, watch) : []),
  ];
}

/** Whether both are about the same form and surface. Alerts about silence had no surface once. */
export function isSameInlet(
  { facts: a }: Pick<Finding, 'facts'>,
  { facts: b }: Pick<Finding, 'facts'>,
): boolean {
  return a.formId === b.formId && (a.surface ?? b.surface) === (b.surface ?? a.surface);
}

function dailyLimits({ used }: Snapshot, { settings, now }: Watch): Finding[] {
  const limit = LIMITS.submissionsPerDay;
  const endsAt = new Date((Math.floor(now / DAY) + 1) * DAY).toISOString();
  return ALL_SURFACES.flatMap((surface) => {
    const isReached = used[surface] >= limit;
    const percent = isReached ? 100 : settings.dailyLimit.percent;
    if (used[surface] < (limit * percent) / 100) return [];
    const subject = `${surface}#${isReached ? 'reached' : 'near'}`;
    const facts = { surface, used: used[surface], limit, percent, endsAt };
    return { kind: 'daily_limit', subject, since: now, facts } as const;
  });
}

function failingDestinations({ destinations }: Snapshot, { settings, open, now }: Watch): Finding[] {
  return destinations.flatMap((destination) => {
    const { destinationId, name: destinationName, status } = destination;
    // While messages wait for the recipient's confirmation nothing else can fail.
    const failingSince = destination.heldSince ?? destination.failingSince;
    const isHeld = destination.heldSince !== undefined;
    const facts = { destinationId, destinationName };
    const key = { kind: 'destination_failing', subject: destinationId } as const;
    if (status === 'disabled') {
      const problem = destination.disabledReason ?? 'failing';
      return { ...key, since: failingSince ?? destination.disabledAt ?? now, facts: { ...facts, problem } };
    }
    // An owner who resumes it has not repaired it: only a delivery shows that it works.
    const opened = status === 'active' ? open.get(alertKey(key)) : undefined;
    if (opened && (failingSince !== undefined || destination.untried)) return { ...key, ...opened };
    const isFailing =
      status === 'active' &&
      failingSince !== undefined &&
      now - failingSince >= settings.destinationFailing.afterMinutes * MINUTE;
    const problem = isHeld ? 'unconfirmed' : 'failing';
    return isFailing ? { ...key, since: failingSince, facts: { ...facts, problem } } : [];
  });
}

/** Slow again and again, not once: a single slow response is nothing to fix. */
function slowDestinations({ destinations }: Snapshot, { settings, open, now }: Watch): Finding[] {
  return destinations.flatMap((destination) => {
    const { destinationId, name: destinationName, status, failingSince, slowSince, lastSlowAt } = destination;
    const key = { kind: 'destination_failing', subject: `${destinationId}#slow` } as const;
    if (status !== 'active' || slowSince === undefined || lastSlowAt === undefined) return [];
    const isSlow =
      lastSlowAt - slowSince >= settings.destinationFailing.afterMinutes * MINUTE && now - lastSlowAt <= DAY;
    // An alert that the destination fails is more useful than one that it is slow.
    const isNews = failingSince === undefined || open.has(alertKey(key));
    const facts = { destinationId, destinationName, problem: 'slow' };
    return isSlow && isNews ? { ...key, since: slowSince, facts } : [];
  });
}

/** Until it is unused for this long, an old secret counts as in use. */
export const OLD_SECRET_UNUSED = 6 * HOUR;

function endingRotations({ senders }: Snapshot, { settings, open, now }: Watch): Finding[] {
  return senders.flatMap(({ sender, formId, lastUsedAt, endsAt }) => {
    const key = { kind: 'rotation_ending', subject: formId } as const;
    if (endsAt === undefined || endsAt <= now || !isPreviousSecret({ sender })) return [];
    const opened = open.get(alertKey(key));
    const usedWithin = opened ? OLD_SECRET_UNUSED : HOUR;
    const isDue =
      endsAt - now <= settings.rotationEnding.withinHours * HOUR && now - lastUsedAt <= usedWithin;
    const facts = { formId, surface: '1b', endsAt: new Date(endsAt).toISOString() } as const;
    // An open alert names the end of the secret. If that changes, the alert closes: its date would be wrong.
    const isAnother = opened !== undefined && opened.facts.endsAt !== facts.endsAt;
    return isDue && !isAnother ? { ...key, since: lastUsedAt, facts } : [];
  });
}

/** A clock that is set right again must not flap around the threshold. */
const DRIFT_MARGIN_SECONDS = 20;

function driftingClocks({ senders }: Snapshot, { settings, open, now }: Watch): Finding[] {
  return [...Map.groupBy(senders, ({ formId }) => formId)].flatMap(([formId, uses]) => {
    const key = { kind: 'clock_drift', subject: formId } as const;
    const margin = open.has(alertKey(key)) ? DRIFT_MARGIN_SECONDS : 0;
    const { lastUsedAt, skewSeconds = 0 } = worstClock(uses) ?? { lastUsedAt: 0 };
    if (now - lastUsedAt > DAY || Math.abs(skewSeconds) < settings.clockDrift.seconds - margin) return [];
    return { ...key, since: lastUsedAt, facts: { formId, surface: '1b', skewSeconds } } as const;
  });
}

/** Of a form's uses in their last hour, the one that is off most: another sender's clock may be right. */
export function worstClock(uses: Snapshot['senders']): SenderUse | undefined {
  const clocks = uses.filter(({ skewSeconds }) => skewSeconds !== undefined);
  const newest = Math.max(...clocks.map(({ lastUsedAt }) => lastUsedAt));
  return clocks
    .filter(({ lastUsedAt }) => lastUsedAt > newest - HOUR)
    .sort((a, b) => Math.abs(b.skewSeconds ?? 0) - Math.abs(a.skewSeconds ?? 0))[0];
}
