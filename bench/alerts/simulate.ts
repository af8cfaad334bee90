import { type AlertKind, DEFAULT_SETTINGS } from '#alerts/alert.ts';
import { BASELINE_DAYS, type Baseline, buildBaseline, type HourCount } from '#alerts/baseline.ts';
import { findProblems } from '#alerts/rules.ts';
import type { Snapshot } from '#alerts/snapshot.ts';
import {
  DAY,
  type FormHistory,
  HOUR,
  type Incident,
  liveForm,
  MAX_INCIDENT,
  MINUTE,
  PROFILES,
  START,
} from './forms.ts';

/** What the rules know about the form at one moment. */
interface Moment {
  readonly now: number;
  readonly lastAcceptedAt: number;
  readonly baseline: Baseline | undefined;
  /** Rejected since the last accepted lead, forged or not. */
  readonly rejected: number;
}

export interface Outcome {
  readonly falseAlerts: number;
  readonly incidents: number;
  readonly noticed: number;
  /** Incidents that were noticed, but as the other kind. */
  readonly mistaken: number;
  /** From the beginning of each incident that was noticed to its alert. */
  readonly delays: readonly number[];
  /** From the first minute in which the rules hold to the alert. */
  readonly reactions: readonly number[];
  readonly years: number;
}

const EVALUATION = 5 * MINUTE;
/** How long an owner takes to fix what an alert named. */
const REPAIR = 6 * HOUR;
/** Before this, no rule looks at a form: it saves the simulation most of its work. */
const RECENT = 10 * MINUTE;

/**
 * Lets the rules watch a form's life, as the watch function would: an evaluation every five minutes, a baseline per
 * day. Rejected requests have wrong signatures, so that they are worth no more than forged ones.
 */
export function watchForm({ sent, forged, incidents, end }: FormHistory): Outcome {
  const counts = new Map<number, { hour: number; accepted: number }>();
  const outcome = {
    falseAlerts: 0,
    noticed: 0,
    mistaken: 0,
    delays: [] as number[],
    reactions: [] as number[],
  };
  let baseline: Baseline | undefined;
  let [lastAcceptedAt, rejected] = [START, 0];
  let [nextSent, nextForged, nextIncident] = [0, 0, 0];
  let repairedAt: number | undefined;
  let isOpen = false;

  for (let now = START + EVALUATION; now < end; now += EVALUATION) {
    const incident = incidents[nextIncident];
    const endOf = ({ from }: Incident) => repairedAt ?? from + MAX_INCIDENT;
    const isOn = (at: number) => incident !== undefined && at >= incident.from && at < endOf(incident);

    for (; (sent[nextSent] ?? end) <= now; nextSent += 1) {
      const at = sent[nextSent] as number;
      if (!isOn(at)) accept(at);
      else if (incident?.kind === 'broken') rejected += 1;
    }
    for (; (forged[nextForged] ?? end) <= now; nextForged += 1) {
      if ((forged[nextForged] as number) > lastAcceptedAt) rejected += 1;
    }
    if (incident && now >= endOf(incident)) {
      nextIncident += 1;
      repairedAt = undefined;
    }
    // Without new leads there is nothing to learn.
    if (now % DAY < EVALUATION && lastAcceptedAt > now - DAY) baseline = rebuild(now);

    if (isOpen || now - lastAcceptedAt < RECENT) continue;
    const moment = { now, lastAcceptedAt, baseline, rejected };
    const kind = alertAt(moment);
    if (!kind) continue;
    isOpen = true;
    outcome.reactions.push(reactionTime(moment));
    if (!incident || !isOn(now)) outcome.falseAlerts += 1;
    else if (repairedAt === undefined) {
      outcome.noticed += 1;
      if ((kind === 'sender_broken') !== (incident.kind === 'broken')) outcome.mistaken += 1;
      outcome.delays.push(now - incident.from);
      repairedAt = now + REPAIR;
    }
  }
  return { ...outcome, incidents: incidents.length, years: (end - START) / DAY / 365 };

  function accept(at: number): void {
    [lastAcceptedAt, rejected, isOpen] = [at, 0, false];
    const hour = Math.floor(at / HOUR);
    const count = counts.get(hour) ?? { hour, accepted: 0 };
    count.accepted += 1;
    counts.set(hour, count);
  }

  function rebuild(now: number): Baseline | undefined {
    const oldest = now / HOUR - BASELINE_DAYS * 24;
    for (const hour of counts.keys()) if (hour < oldest) counts.delete(hour);
    return buildBaseline(INLET, [...counts.values()] as HourCount[], now);
  }
}

const FORM = 'form_simulated';
const INLET = `${FORM}#1b`;
const NOTHING_OPEN = new Map();

function alertAt({ now, lastAcceptedAt, baseline, rejected }: Moment): AlertKind | undefined {
  const refused = {
    formId: FORM,
    surface: '1b',
    reason: 'signature_mismatch',
    authenticated: false,
  } as const;
  const snapshot: Snapshot = {
    senders: [{ sender: `secret#${FORM}#current`, formId: FORM, lastUsedAt: lastAcceptedAt }],
    baselines: new Map(baseline && [[INLET, baseline]]),
    rejections: rejected === 0 ? [] : [{ ...refused, at: now, count: rejected }],
    recent: [],
    refused: [],
    used: { '1a': 0, '1b': 0, '1c': 0, '2': 0 },
    destinations: [],
  };
  return findProblems(snapshot, { settings: DEFAULT_SETTINGS, open: NOTHING_OPEN, now })[0]?.kind;
}

/** How long the rules had been holding, to the minute. */
function reactionTime(moment: Moment): number {
  let at = moment.now;
  while (moment.now - at < EVALUATION && alertAt({ ...moment, now: at - MINUTE })) at -= MINUTE;
  return moment.now - at;
}

interface ProfileRow {
  readonly kind: string;
  readonly name: string;
  readonly falsePerYear: number;
  readonly noticed: number;
  readonly incidents: number;
  readonly mistaken: number;
  readonly medianDelay: number | undefined;
  readonly longestReaction: number;
}

/** Other lives than those that the rules were tuned with. */
const FIRST_SEED = 5_000;

/** Watches forms of every profile for so many weeks each. The same numbers every time. */
export function simulateProfiles(weeks: number, livesPerProfile: number): ProfileRow[] {
  return PROFILES.map((profile, index) => {
    const outcomes = Array.from({ length: livesPerProfile }, (_, life) =>
      watchForm(liveForm(profile, weeks, FIRST_SEED + 100 * index + life)),
    );
    const sum = (of: (outcome: Outcome) => number) =>
      outcomes.reduce((total, outcome) => total + of(outcome), 0);
    const delays = outcomes.flatMap((outcome) => outcome.delays).sort((a, b) => a - b);
    return {
      kind: profile.kind,
      name: profile.name,
      falsePerYear: sum(({ falseAlerts }) => falseAlerts) / sum(({ years }) => years),
      noticed: sum(({ noticed }) => noticed),
      incidents: sum(({ incidents }) => incidents),
      mistaken: sum(({ mistaken }) => mistaken),
      medianDelay: delays[Math.floor(delays.length / 2)],
      longestReaction: Math.max(0, ...outcomes.flatMap(({ reactions }) => reactions)),
    };
  });
}

/** The table of docs/alerts.md. */
export function simulationTable(rows: readonly ProfileRow[]): string {
  return [
    '| Form | Leads | False alerts per year | Incidents noticed | Typical time until the alert | Longest time from threshold to alert |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => {
      const delay = row.medianDelay === undefined ? '–' : hours(row.medianDelay);
      const reaction = `${Math.round(row.longestReaction / MINUTE)} min`;
      return `| ${row.kind} | ${row.name} | ${row.falsePerYear.toFixed(1)} | ${row.noticed} of ${row.incidents} | ${delay} | ${reaction} |`;
    }),
  ].join('\n');
}

function hours(milliseconds: number): string {
  const count = milliseconds / HOUR;
  if (count < 48) return `${count.toFixed(count < 10 ? 1 : 0)} h`;
  return `${Math.round(count / 24)} days`;
}
