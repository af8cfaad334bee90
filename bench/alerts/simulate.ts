import { BASELINE_DAYS, type Baseline, buildBaseline, type HourCount } from '#alerts/baseline.ts';
import { DAY, type FormHistory, HOUR, LONGEST_INCIDENT, MINUTE, START } from './forms.ts';

/** What a rule is asked every five minutes. */
export interface Moment {
  readonly now: number;
  readonly lastAcceptedAt: number;
  readonly baseline: Baseline | undefined;
  /** Rejected since the last accepted lead: the form's own sender's, and strangers'. */
  readonly rejectedSince: number;
  readonly forgedSince: number;
}

export type WatchRule = (moment: Moment) => boolean;

export interface Outcome {
  readonly falseAlerts: number;
  readonly incidents: number;
  readonly noticed: number;
  /** From the beginning of each incident that was noticed to its alert. */
  readonly delays: readonly number[];
  /** From the first minute in which the rule holds to the alert. */
  readonly reactionTimes: readonly number[];
  readonly years: number;
}

const EVALUATION = 5 * MINUTE;
/** How long an owner takes to fix what an alert named. */
const REACTION = 6 * HOUR;

/** Lets a rule watch a form's life. The owner repairs what it reports. */
export function watchForm({ sent, forged, incidents, end }: FormHistory, rule: WatchRule): Outcome {
  const counts = new Map<number, { hour: number; accepted: number; server: number }>();
  const delays: number[] = [];
  const reactionTimes: number[] = [];
  let baseline: Baseline | undefined;
  let [lastAcceptedAt, rejectedSince, forgedSince, falseAlerts, noticed] = [START, 0, 0, 0, 0];
  let [nextSent, nextForged, nextIncident] = [0, 0, 0];
  let endsAt: number | undefined;
  let isOpen = false;

  for (let now = START + EVALUATION; now < end; now += EVALUATION) {
    const incident = incidents[nextIncident];
    const isOn = (at: number) =>
      incident !== undefined && at >= incident.from && at < (endsAt ?? incident.from + LONGEST_INCIDENT);
    for (; nextSent < sent.length && (sent[nextSent] as number) <= now; nextSent += 1) {
      const at = sent[nextSent] as number;
      if (isOn(at)) rejectedSince += incident?.kind === 'broken' ? 1 : 0;
      else {
        accept(at);
        [rejectedSince, forgedSince, isOpen] = [0, 0, false];
      }
    }
    for (; nextForged < forged.length && (forged[nextForged] as number) <= now; nextForged += 1) {
      if ((forged[nextForged] as number) > lastAcceptedAt) forgedSince += 1;
    }
    if (incident && now >= (endsAt ?? incident.from + LONGEST_INCIDENT)) {
      nextIncident += 1;
      endsAt = undefined;
    }
    // Without new leads there is nothing to learn.
    if (now % DAY < EVALUATION && lastAcceptedAt > now - DAY) baseline = rebuild(now);
    const moment = { now, lastAcceptedAt, baseline, rejectedSince, forgedSince };
    if (isOpen || !rule(moment)) continue;
    isOpen = true;
    reactionTimes.push(reactionTime(moment));
    if (!incident || !isOn(now)) falseAlerts += 1;
    else if (endsAt === undefined) {
      noticed += 1;
      delays.push(now - incident.from);
      endsAt = now + REACTION;
    }
  }
  return {
    falseAlerts,
    incidents: incidents.length,
    noticed,
    delays,
    reactionTimes,
    years: (end - START) / DAY / 365,
  };

  function accept(at: number): void {
    lastAcceptedAt = at;
    const hour = Math.floor(at / HOUR);
    const count = counts.get(hour) ?? { hour, accepted: 0, server: 0 };
    count.accepted += 1;
    counts.set(hour, count);
  }

  function rebuild(now: number): Baseline | undefined {
    const oldest = now / HOUR - BASELINE_DAYS * 24;
    for (const hour of counts.keys()) if (hour < oldest) counts.delete(hour);
    return buildBaseline('form', [...counts.values()] as HourCount[], now);
  }

  function reactionTime(moment: Moment): number {
    let at = moment.now;
    while (moment.now - at < EVALUATION && rule({ ...moment, now: at - MINUTE })) at -= MINUTE;
    return moment.now - at;
  }
}
