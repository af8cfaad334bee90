import type { FieldConfiguration, LeadFields } from '../model/lead-fields.ts';
import type { Grade, Score, Signal } from '../model/lead-item.ts';
import type { Learned } from '../model/learned.ts';
import { contactSignals } from './contact-signals.ts';
import { contentSignals, formSignals, longestText } from './content-signals.ts';
import { readLead } from './lead-text.ts';
import { type Applied, applyLearned } from './learned.ts';
import { readList } from './lists.ts';
import { rolesToKeep, type SortedEntries, sortEntries } from './roles.ts';
import type { TextSource } from './text-features.ts';
import { type Reading, TextModel } from './text-model.ts';
import { CLEAN_FROM, NEVER_CLEAN_UP_TO, type RuleName, WEIGHTS } from './weights.ts';

/** What else is known about the lead. */
export interface ScoreContext {
  /** ISO code of the country that national phone numbers are read by when the lead names none. */
  readonly country?: string;
  /** Hosts of the form's own pages. */
  readonly sites?: readonly string[];
  /** What the workspace's verdicts have taught, and for which of its forms. */
  readonly learned?: Learned | undefined;
  readonly formId?: string;
}

/** Pure. What it looks at is bounded, so that the largest body costs little more than a small one. */
export function scoreLead(
  fields: LeadFields,
  configuration: readonly FieldConfiguration[] = [],
  context: ScoreContext = {},
): Score {
  const { found, source, sorted, meant } = findSignals(fields, configuration, context);
  const learned = applyLearned(context.learned, context.formId, source.message, found);
  const score = judge(found, textModel.read(source), { learned, meant });
  // Without a configuration there is nothing to differ from.
  return configuration[0] ? { ...score, ...rolesToKeep(fields, sorted.roles) } : score;
}

const textModel = new TextModel(() => readList('textModel'));

/** What the rules find, and what is left to the text model. */
export function findSignals(
  fields: LeadFields,
  configuration: readonly FieldConfiguration[] = [],
  context: ScoreContext = {},
): { found: Set<RuleName>; source: TextSource; sorted: SortedEntries; meant: string | undefined } {
  const entries = readLead(fields, configuration);
  const sorted = sortEntries(entries, configuration);
  const contact = contactSignals(sorted, context.country);
  const found = new Set<RuleName>([
    ...contact.signals,
    ...contentSignals(sorted, contact, context.sites),
    ...formSignals(sorted, entries, configuration),
  ]);
  const { email } = contact;
  return {
    found,
    source: { message: longestText(sorted), domain: email?.freeMail ? '' : (email?.domain ?? '') },
    sorted,
    meant: email?.meant,
  };
}

/** Ten points are worth a factor of e in the odds that the lead is good: the score is that probability in percent. */
export const POINTS_PER_LOG_ODDS = 10;

function judge(
  found: ReadonlySet<RuleName>,
  { points, words }: Reading,
  { learned, meant }: { readonly learned: Applied; readonly meant: string | undefined },
): Score {
  const signals: Signal[] = [...found].map((name) => ({
    name,
    weight: WEIGHTS[name][0],
    ...(name === 'email_mistyped' && meant !== undefined && { words: [meant] }),
  }));
  if (points !== 0) {
    signals.push({ name: points > 0 ? 'reads_like_request' : 'reads_like_offer', weight: points, words });
  }
  if (learned.points !== 0) {
    signals.push({
      name: 'learned',
      weight: learned.points,
      ...(learned.words[0] && { words: learned.words }),
    });
  }
  const sum = signals.reduce((total, { weight }) => total + weight, 0);
  const odds = Math.exp(sum / POINTS_PER_LOG_ODDS);
  const good = Math.round((100 * odds) / (1 + odds));
  const neverClean = [...found].some((name) => WEIGHTS[name][1] === 'never clean');
  const score = neverClean ? Math.min(good, NEVER_CLEAN_UP_TO) : good;
  const clean = score >= CLEAN_FROM;
  return { score, grade: gradeOf(score), clean, signals };
}

function gradeOf(score: number): Grade {
  if (score < CLEAN_FROM) return 'D';
  return score >= 90 ? 'A' : score >= 70 ? 'B' : 'C';
}
