import { signalLabel } from '#scoring/signal-words.ts';
import type { Learning } from '../../api/types.ts';
import { ARCHIVED_FORM } from '../../shared/forms.ts';

/** A word or finding, what it is worth, and where. */
export interface LearnedRow {
  readonly id: string;
  readonly text: string;
  readonly points: number;
  /** Null for all forms. */
  readonly formId: string | null;
  /** Those that have points of their own for it. */
  readonly exceptFormIds: readonly string[];
}

export interface LearnedRows {
  readonly raises: readonly LearnedRow[];
  readonly lowers: readonly LearnedRow[];
}

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly points: number;
  readonly formId: string | null;
}

/**
 * Strongest first, words and findings together. A form where something is worth nothing has no row: it is an exception
 * of the row for all forms.
 */
export function learnedRows({ words, signals }: Pick<Learning, 'words' | 'signals'>): LearnedRows {
  const entries: Entry[] = [
    ...words.map(({ word, points, formId }) => ({ id: `word ${word}`, text: `“${word}”`, points, formId })),
    ...signals.map(({ name, points, formId }) => {
      return { id: `finding ${name}`, text: signalLabel(name), points, formId };
    }),
  ];
  const all = entries
    .map(({ id, text, points, formId }): LearnedRow => {
      const own = formId === null ? entries.filter((each) => each.id === id && each.formId !== null) : [];
      const exceptFormIds = own.map((each) => each.formId as string);
      return { id: `${id} ${formId ?? ''}`, text, points, formId, exceptFormIds };
    })
    .toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points) || a.text.localeCompare(b.text));
  return { raises: all.filter(({ points }) => points > 0), lowers: all.filter(({ points }) => points < 0) };
}

const MAX_NAMED = 2;

export function appliesTo(
  { formId, exceptFormIds }: Pick<LearnedRow, 'formId' | 'exceptFormIds'>,
  nameOf: (formId: string) => string | undefined,
): string {
  const name = (id: string) => nameOf(id) ?? ARCHIVED_FORM;
  if (formId !== null) return `Only ${name(formId)}`;
  if (exceptFormIds.length === 0) return 'All forms';
  if (exceptFormIds.length > MAX_NAMED) return `All forms except ${exceptFormIds.length}`;
  return `All forms except ${exceptFormIds.map(name).join(' and ')}`;
}

/** All forms that are named. */
export function formsOf({ words, signals }: Pick<Learning, 'words' | 'signals'>): string[] {
  return [...new Set([...words, ...signals].flatMap(({ formId }) => formId ?? []))];
}

/** "12 leads from 8 senders" */
export function fromText({ leads, senders }: Learning['from']['good']): string {
  return `${leads} ${leads === 1 ? 'lead' : 'leads'} from ${senders} ${senders === 1 ? 'sender' : 'senders'}`;
}

export const SWITCH_MEANING =
  'Your verdicts add or take away at most 25 points when a new lead is scored. Leads that you already have keep their score. If you turn this off, what was learned is deleted; if you turn it on again, it is learned again from your verdicts. Trusted and blocked senders stay as they are.';

export function switchedText(enabled: boolean): string {
  return enabled
    ? 'Learning is on. What your verdicts teach appears here in about a minute.'
    : 'Learning is off. New leads are scored without your verdicts.';
}

/** Why nothing is listed, and what to do. */
export function nothingLearned({ enabled }: Pick<Learning, 'enabled'>): { title: string; text: string } {
  return enabled
    ? {
        title: 'Nothing learned yet',
        text: 'Mark leads from three different senders as “Not spam”, and leads from three as “Spam”. Test leads and verdicts by API keys don’t count. If you have done that, mark a few more: only what leads from three senders have in common is learned. It takes about a minute.',
      }
    : {
        title: 'Learning is off',
        text: 'Your verdicts change only the leads that you mark, and the list of senders.',
      };
}
