import { HOUR, liveForm, MINUTE, PROFILES } from './forms.ts';
import { type Outcome, watchForm } from './simulate.ts';

export interface ProfileRow {
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
