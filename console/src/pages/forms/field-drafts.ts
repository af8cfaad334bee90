import { RETENTION_DAYS } from '#model/lead-item.ts';
import { TEST_MARK } from '#model/limits.ts';
import { ADDED_FIELDS } from '#sdk/read-lead.ts';
import { ApiProblem, errorMessage } from '../../api/problem.ts';
import type { FormField } from '../../api/types.ts';

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
export function toFields(drafts: readonly FieldDraft[]): FormField[] {
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

/** The API's error for one field, as a sentence. */
export function fieldProblem(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const found = error.fields.find((one) => one.field === field);
  return found && toSentence(found.problem);
}

/** Any other error; undefined if the field shows it. */
export function otherProblem(error: unknown, field: string): string | undefined {
  if (error == null) return undefined;
  const isAllTold = error instanceof ApiProblem && error.fields.some((one) => one.field === field);
  return isAllTold ? undefined : errorMessage(error);
}

function toSentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}

type Retention = { readonly days: number | null } | { readonly problem: string };

/** Parses the retention; empty means forever. */
export function readRetention(typed: string): Retention {
  const text = typed.trim();
  if (text === '') return { days: null };
  const days = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  const { min, max } = RETENTION_DAYS;
  if (days >= min && days <= max) return { days };
  return {
    problem: `Enter a whole number from ${min} to ${max.toLocaleString('en')}, or leave empty.`,
  };
}

/** The notice after retention was changed. */
export function retentionNotice(days: number | null): string {
  if (days === null) return 'New leads are kept forever. Existing leads keep their current deletion date.';
  const time = days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;
  return `New leads are deleted after ${time}. Existing leads keep their current deletion date.`;
}
