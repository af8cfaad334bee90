import { RETENTION_DAYS } from '#model/lead-item.ts';
import { ApiProblem, errorMessage } from '../../api/problem.ts';

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

export function toSentence(problem: string): string {
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
