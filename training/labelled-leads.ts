import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldConfiguration } from '#model/lead-fields.ts';

/** A form submission with the label that its author gave it before any rule saw it. */
export interface LabelledLead {
  /** The file that it is from, and its line. */
  readonly batch: string;
  readonly line: number;
  readonly label: 'good' | 'bad';
  readonly kind: string;
  readonly language: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The form's fields, if it has configured any. */
  readonly fields?: readonly FieldConfiguration[];
}

const FOLDER = join(import.meta.dirname, 'leads');

/**
 * A quarter of the batches, chosen before any of them was scored. Nobody who changes rules, weights or the model looks
 * at them.
 */
export const HELD_OUT: ReadonlySet<string> = new Set(
  (JSON.parse(readFileSync(join(import.meta.dirname, 'held-out.json'), 'utf8')) as { batches: string[] })
    .batches,
);

export function readLabelledLeads(part: 'training' | 'held-out' | 'all'): LabelledLead[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => file.replace('.jsonl', ''))
    .filter((batch) => part === 'all' || HELD_OUT.has(batch) === (part === 'held-out'))
    .sort()
    .flatMap(readBatch);
}

export function readBatch(batch: string): LabelledLead[] {
  const lines = readFileSync(join(FOLDER, `${batch}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map(
    (text, index) => ({ batch, line: index + 1, ...(JSON.parse(text) as object) }) as LabelledLead,
  );
}

const EARLIER = join(import.meta.dirname, '../test/fixtures/leads');

/** Leads of the authors of the rules, in two dozen languages, tests among them. */
export function readEarlierLeads(part: 'development' | 'held-out'): LabelledLead[] {
  return readFileSync(join(EARLIER, `${part}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((text, index) => {
      const { clean, ...lead } = JSON.parse(text) as LabelledLead & { clean: boolean };
      return { ...lead, batch: `earlier, ${part}`, line: index + 1, label: clean ? 'good' : 'bad' };
    });
}

/** An owner's verdicts, as `GET /settings/reviews/export` writes them. */
export function readVerdicts(file: string): LabelledLead[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      if (text.trim() === '') return [];
      const lead = readVerdict(text);
      if (!lead) throw new Error(`${file}, line ${index + 1}: not a line of the export of reviewed leads`);
      return [{ batch: 'verdicts', line: index + 1, kind: 'verdict', language: '', ...lead }];
    });
}

function readVerdict(text: string): Pick<LabelledLead, 'label' | 'body'> | undefined {
  try {
    const { body, review } = JSON.parse(text) as { body: LabelledLead['body']; review: { verdict: string } };
    if (typeof body !== 'object' || !['good', 'spam'].includes(review.verdict)) return undefined;
    return { body, label: review.verdict === 'good' ? 'good' : 'bad' };
  } catch {
    return undefined;
  }
}

/** The words and pairs of words of a lead's values, to recognize one that is nearly the same as another. */
export function shinglesOf({ body }: Pick<LabelledLead, 'body'>): Set<string> {
  const words = Object.values(body)
    .filter((value) => typeof value === 'string')
    .join(' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return new Set(words.map((word, index) => `${word} ${words[index + 1] ?? ''} ${words[index + 2] ?? ''}`));
}

/** From 0 to 1: the share of what they have in common (Jaccard). */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const each of one) if (other.has(each)) common += 1;
  return common === 0 ? 0 : common / (one.size + other.size - common);
}
