import { TEST_MARK } from '#model/limits.ts';
import { ADDED_FIELDS } from '#sdk/read-lead.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { FormField } from '../../api/types.ts';
import { toSentence } from './form-changes.ts';

/** A row of the editor. `id` stays with the row when it moves. */
export interface FieldDraft {
  readonly id: number;
  readonly key: string;
  readonly label: string;
  readonly role: string;
}

export type Part = 'key' | 'label' | 'role';

/** Keyed by row index and part. */
export type Problems = ReadonlyMap<`${number}.${Part}`, string>;

export const MAX_FIELDS = 100;
const LONGEST = { key: 200, label: 100 } as const;

export function toDrafts(fields: readonly FormField[]): FieldDraft[] {
  return fields.map(({ key, label = '', role = '' }, id) => ({ id, key, label, role }));
}

/** Omits empty labels and types. */
export function toFields(drafts: readonly FieldDraft[]): Partial<FormField>[] {
  return drafts.map(({ key, label, role }) => ({
    key,
    ...(label.trim() !== '' && { label: label.trim() }),
    ...(role !== '' && { role: role as NonNullable<FormField['role']> }),
  }));
}

export function addDrafts(drafts: readonly FieldDraft[], keys: readonly string[]): FieldDraft[] {
  const next = Math.max(-1, ...drafts.map(({ id }) => id)) + 1;
  const added = keys.map((key, index) => ({ id: next + index, key, label: '', role: '' }));
  return [...drafts, ...added].slice(0, MAX_FIELDS);
}

export function moveDraft(drafts: readonly FieldDraft[], from: number, to: number): FieldDraft[] {
  const draft = drafts[from];
  if (!draft || to < 0 || to >= drafts.length) return [...drafts];
  return drafts.toSpliced(from, 1).toSpliced(to, 0, draft);
}

/** Keys in leads that aren't configured, except the empty key, the test mark and what the browser SDK adds. */
export function newKeys(drafts: readonly FieldDraft[], seen: readonly string[]): string[] {
  const known = new Set(['', TEST_MARK, ...ADDED_FIELDS, ...drafts.map(({ key }) => key)]);
  return seen.filter((key) => !known.has(key));
}

/** Validates before sending. */
export function draftProblems(drafts: readonly FieldDraft[]): Problems {
  const problems = new Map<`${number}.${Part}`, string>();
  const seen = new Set<string>();
  for (const [index, { key, label }] of drafts.entries()) {
    if (key === '') problems.set(`${index}.key`, 'Enter a key or remove this field.');
    else if (seen.has(key)) problems.set(`${index}.key`, 'This key is already used.');
    else if (characters(key) > LONGEST.key) problems.set(`${index}.key`, tooLong(LONGEST.key));
    seen.add(key);
    if (characters(label.trim()) > LONGEST.label) problems.set(`${index}.label`, tooLong(LONGEST.label));
  }
  return problems;
}

/** API errors by row, from paths such as `fields[2].key`. */
export function apiProblems(error: unknown): Problems {
  const problems = new Map<`${number}.${Part}`, string>();
  if (!(error instanceof ApiProblem)) return problems;
  for (const { field, problem } of error.fields) {
    const [, index, part = 'key'] = /^fields\[(\d+)\](?:\.(key|label|role))?$/.exec(field) ?? [];
    if (index !== undefined) problems.set(`${Number(index)}.${part as Part}`, toSentence(problem));
  }
  return problems;
}

const characters = (text: string) => [...text].length;

const tooLong = (most: number) => `Enter at most ${most} characters.`;

type Role = NonNullable<FormField['role']>;

const NAMES: Readonly<Record<Role, string>> = {
  email: 'Email address',
  phone: 'Phone number',
  name: 'Full name',
  firstName: 'First name',
  lastName: 'Last name',
  company: 'Company',
  message: 'Message',
  website: 'Website',
  country: 'Country',
  honeypot: 'Honeypot',
};

const DESCRIPTIONS: Partial<Record<Role, string>> = {
  honeypot: 'Hidden field that only bots fill in',
};

export const ROLE_OPTIONS = [
  { value: '', label: 'Auto-detect' },
  ...Object.entries(NAMES).map(([value, label]) => ({
    value,
    label,
    description: DESCRIPTIONS[value as Role],
  })),
];
