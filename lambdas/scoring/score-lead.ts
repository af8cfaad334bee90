import type { FieldConfiguration } from '../submission/configuration.ts';
import { contactSignals } from './contact-signals.ts';
import { contentSignals, formSignals } from './content-signals.ts';
import { type LeadFields, readLead } from './lead-text.ts';
import { type LeadRoles, rolesToKeep, sortEntries } from './roles.ts';
import { DOUBTS, ENOUGH_DOUBTS, type SignalName, WEIGHTS } from './weights.ts';

/** One named finding and what it adds to the score, so that an owner sees why a lead scored as it did. */
export interface Signal {
  readonly name: string;
  readonly weight: number;
}

export type Grade = 'A' | 'B' | 'C' | 'D';

export interface Score {
  /** 0 to 100. */
  readonly score: number;
  readonly grade: Grade;
  /** Fit for enrichment: reachable, and not spam. */
  readonly clean: boolean;
  readonly signals: readonly Signal[];
  /** Present if the form's configured roles made a difference, for enrichment to use. */
  readonly roles?: LeadRoles;
}

/** What else is known about the lead. */
export interface ScoreContext {
  /** ISO code of the country that national phone numbers are read by when the lead names none. */
  readonly country?: string;
}

/** Pure. What it looks at is bounded, so that the largest body costs little more than a small one. */
export function scoreLead(
  fields: LeadFields,
  configuration: readonly FieldConfiguration[] = [],
  context: ScoreContext = {},
): Score {
  const entries = readLead(fields, configuration);
  const sorted = sortEntries(entries, configuration);
  const contact = contactSignals(sorted, context.country);
  const found = new Set<SignalName>([
    ...contact.signals,
    ...contentSignals(sorted, contact),
    ...formSignals(sorted, entries, configuration),
  ]);
  const score = judge(found);
  // What is not clean is never enriched, and without a configuration there is nothing to differ from.
  return score.clean && configuration[0] ? { ...score, ...rolesToKeep(fields, sorted.roles) } : score;
}

function judge(found: Set<SignalName>): Score {
  const doubts = [...found].reduce((sum, name) => sum + (DOUBTS[name] ?? 0), 0);
  if (doubts >= ENOUGH_DOUBTS) found.add('gathered_doubts');
  const signals = [...found].map((name) => ({ name, weight: WEIGHTS[name][0] }));
  const sum = signals.reduce((total, { weight }) => total + weight, 0);
  const score = Math.min(100, Math.max(0, sum));
  const clean = signals.every(({ name }) => WEIGHTS[name][1] !== 'never clean');
  return { score, grade: gradeOf(score, clean), clean, signals };
}

function gradeOf(score: number, clean: boolean): Grade {
  if (!clean || score < 40) return 'D';
  return score >= 80 ? 'A' : score >= 60 ? 'B' : 'C';
}
