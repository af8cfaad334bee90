import { RETENTION_DAYS } from '#submission/lead-item.ts';

export type Retention = { readonly days: number | null } | { readonly problem: string };

/** What was typed; nothing means for ever. */
export function readRetention(typed: string): Retention {
  const text = typed.trim();
  if (text === '') return { days: null };
  const days = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  const { min, max } = RETENTION_DAYS;
  if (days >= min && days <= max) return { days };
  return {
    problem: `Give a whole number of days from ${min} to ${max.toLocaleString('en')}, or nothing.`,
  };
}

/** What an owner is told once it is set. */
export function retentionChanged(days: number | null): string {
  if (days === null) return 'New leads are kept for ever. Leads that are there keep their time.';
  const time = days === 1 ? 'a day' : `${days.toLocaleString('en')} days`;
  return `New leads are deleted after ${time}. Leads that are there keep their time.`;
}
