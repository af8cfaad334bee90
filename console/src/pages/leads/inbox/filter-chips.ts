import type { EnrichmentState } from '#enrichment/enrichment-item.ts';
import { ENRICHMENT_NAMES } from '../lead-words.ts';
import type { DayRange, InboxFilter, Preset } from './inbox-filter.ts';

export const PRESET_NAMES: Readonly<Record<Preset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

export const STATUS_NAMES: Readonly<Record<NonNullable<InboxFilter['status']>, string>> = {
  new: 'New',
  todo: 'To do',
  handled: 'Handled',
};

/** One filter that is set, in words, and the filter without it. */
export interface Chip {
  readonly name: keyof InboxFilter | 'score';
  readonly text: string;
  readonly without: InboxFilter;
}

interface Words {
  readonly formName: (formId: string) => string;
  readonly dayText: (day: string) => string;
}

/** The filters that are set, as chips. The search box shows the words itself. */
export function chipsOf(filter: InboxFilter, words: Words): Chip[] {
  const { form, period, clean, minScore, maxScore, enrichment, status, reviewed } = filter;
  const chip = (name: keyof InboxFilter, text: string): Chip => ({
    name,
    text,
    without: { ...filter, [name]: undefined, ...(name === 'period' && { sort: undefined }) },
  });
  return [
    ...(period === undefined ? [] : [chip('period', periodText(period, words.dayText))]),
    ...(form === undefined ? [] : [chip('form', `Form: ${words.formName(form)}`)]),
    ...(status === undefined ? [] : [chip('status', STATUS_NAMES[status])]),
    ...(clean === undefined ? [] : [chip('clean', clean ? 'Clean' : 'Not clean')]),
    ...(reviewed === undefined ? [] : [chip('reviewed', reviewed ? 'Reviewed' : 'Not reviewed')]),
    ...(minScore === undefined && maxScore === undefined
      ? []
      : [
          {
            name: 'score' as const,
            text: `Score ${minScore ?? 0} to ${maxScore ?? 100}`,
            without: { ...filter, minScore: undefined, maxScore: undefined },
          },
        ]),
    ...(enrichment === undefined ? [] : [chip('enrichment', enrichmentText(enrichment))]),
  ];
}

function periodText(period: Preset | DayRange, dayText: Words['dayText']): string {
  if (typeof period === 'string') return PRESET_NAMES[period];
  const [first, last] = [dayText(period.firstDay), dayText(period.lastDay)];
  return first === last ? first : `${first} to ${last}`;
}

const enrichmentText = (state: EnrichmentState) => `Enrichment: ${ENRICHMENT_NAMES[state].toLowerCase()}`;

interface QuickFilter {
  readonly name: string;
  readonly filter: InboxFilter;
}

/** One click each. Those with the same fields replace each other. */
export const QUICK_FILTERS: readonly QuickFilter[] = [
  { name: 'Today', filter: { period: 'today' } },
  { name: 'New', filter: { status: 'new' } },
  { name: 'To do', filter: { status: 'todo', clean: true } },
  { name: 'Handled', filter: { status: 'handled' } },
  // The verdicts on these teach most.
  { name: 'Unsure', filter: { minScore: 25, maxScore: 60, reviewed: false } },
];

export function isSet(filter: InboxFilter, quick: QuickFilter): boolean {
  return Object.entries(quick.filter).every(([name, value]) => filter[name as keyof InboxFilter] === value);
}

/** Sets a quick filter, or removes it if it is set. */
export function toggle(filter: InboxFilter, quick: QuickFilter): InboxFilter {
  if (isSet(filter, quick)) return without(filter, quick);
  // "Handled" after "To do" must not keep "clean".
  const rivals = QUICK_FILTERS.filter(
    (other) => isSet(filter, other) && Object.keys(other.filter).some((name) => name in quick.filter),
  );
  return { ...rivals.reduce(without, filter), ...quick.filter };
}

function without(filter: InboxFilter, quick: QuickFilter): InboxFilter {
  const { sort } = filter;
  const removed = Object.fromEntries(Object.keys(quick.filter).map((name) => [name, undefined]));
  return {
    ...filter,
    ...removed,
    ...('period' in quick.filter && sort !== undefined && { sort: undefined }),
  };
}

/** The next longer period. Undefined: all time. */
export function wider(period: InboxFilter['period']): '7d' | '30d' | undefined {
  if (period === 'today' || period === 'yesterday') return '7d';
  return period === '7d' ? '30d' : undefined;
}
