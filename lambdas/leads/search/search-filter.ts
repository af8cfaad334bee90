import type { EnrichmentState } from '../../enrichment/enrichment-item.ts';
import { hasExpired, type LeadItem } from '../../model/lead-item.ts';
import { type Handling, isTombstone } from './index-entry.ts';
import type { SearchTerm } from './search-query.ts';

export const STATUSES = ['new', 'todo', 'handled'] as const;

/** A list by score reads all of them for every page: about 2 MB. */
export const MAX_SORTED = 5_000;
export const MAX_COUNTED = 1_000;

/** Which leads are asked for, all conditions together. */
export interface LeadSearch {
  readonly q?: string | undefined;
  readonly form?: string | undefined;
  readonly clean?: boolean | undefined;
  readonly scoreAtLeast?: number | undefined;
  readonly scoreAtMost?: number | undefined;
  readonly enrichment?: EnrichmentState | undefined;
  /** `todo` is what is not handled. */
  readonly status?: (typeof STATUSES)[number] | undefined;
  /** Whether somebody has given a verdict. */
  readonly reviewed?: boolean | undefined;
  /** Only these leads. */
  readonly ids?: readonly string[] | undefined;
}

/** Where the words of a search may stand. */
const SEARCHED = ['folded', 'email', 'phone'] as const;

interface Filter {
  readonly filter: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether it leaves out more than what has expired. */
  readonly selective: boolean;
}

export function filterOf(asked: LeadSearch, terms: readonly SearchTerm[], nowSeconds: number): Filter {
  const { form, clean, scoreAtLeast, scoreAtMost, status, reviewed } = asked;
  const values: Record<string, unknown> = { ':now': nowSeconds };
  const given = (value: unknown, condition: string, name: string) => {
    if (value === undefined) return [];
    values[name] = value;
    return [`${condition} ${name}`];
  };
  const conditions = [
    ...given(form, 'formId =', ':form'),
    ...given(scoreAtLeast, 'score >=', ':atLeast'),
    ...given(scoreAtMost, 'score <=', ':atMost'),
    ...given(clean, 'clean =', ':clean'),
    ...(reviewed === undefined ? [] : [`${reviewed ? 'attribute_exists' : 'attribute_not_exists'}(review)`]),
    ...(status === 'new' ? ['attribute_not_exists(handling)'] : []),
    ...given(status === 'handled' ? status : undefined, 'handling =', ':handling'),
    ...given(status === 'todo' ? ('open' satisfies Handling) : undefined, 'handling =', ':handling').map(
      (isOpen) => `(attribute_not_exists(handling) OR ${isOpen})`,
    ),
    ...terms.map((spellings, term) => {
      const anywhere = spellings.flatMap((spelling, index) => {
        const name = `:w${term}x${index}`;
        values[name] = spelling;
        return SEARCHED.map((attribute) => `contains(${attribute}, ${name})`);
      });
      return `(${anywhere.join(' OR ')})`;
    }),
  ];
  const live = 'attribute_not_exists(erasedAt) AND (attribute_not_exists(expiresAt) OR expiresAt > :now)';
  return { filter: [live, ...conditions].join(' AND '), values, selective: conditions.length > 0 };
}

/** The same for an entry that was found by its key: all but the words. */
export function isAsked(item: LeadItem, asked: LeadSearch, nowMilliseconds: number): boolean {
  const { form, clean, scoreAtLeast = 0, scoreAtMost = 100 } = asked;
  const score = item.score as number;
  return (
    !isTombstone(item) &&
    !hasExpired(item, nowMilliseconds) &&
    (form === undefined || item.formId === form) &&
    (clean === undefined || item.clean === clean) &&
    isInState(
      { reviewed: item.review !== undefined, handling: item.handling as Handling | undefined },
      asked,
    ) &&
    score >= scoreAtLeast &&
    score <= scoreAtMost
  );
}

interface HandledState {
  readonly reviewed: boolean;
  readonly handling: Handling | undefined;
}

/** What people have said about a lead, which is asked of its entry and then of the lead itself. */
export function isInState({ reviewed, handling }: HandledState, asked: LeadSearch): boolean {
  if (asked.reviewed !== undefined && asked.reviewed !== reviewed) return false;
  if (asked.status === undefined) return true;
  if (asked.status === 'new') return handling === undefined;
  return (asked.status === 'handled') === (handling === 'handled');
}

export function hasTerms(item: LeadItem, terms: readonly SearchTerm[]): boolean {
  return terms.every((spellings) =>
    spellings.some((spelling) =>
      SEARCHED.some((attribute) => String(item[attribute] ?? '').includes(spelling)),
    ),
  );
}
