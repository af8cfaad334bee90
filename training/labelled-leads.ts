import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldConfiguration } from '#model/lead-fields.ts';

/** A form submission with the label that its author gave it before any rule saw it. */
export interface LabelledLead {
  /** The form of one business, or the plain contact forms of many, by one author. */
  readonly batch: string;
  /** Its line in the file. */
  readonly line: number;
  readonly label: 'good' | 'bad';
  readonly kind: string;
  readonly language: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The form's fields, if it has configured any. */
  readonly fields?: readonly FieldConfiguration[];
  /**
   * Whether its author was asked to mislead: customers with the words of spammers, sellers who write like customers.
   * Such leads are to learn from. How sure the score may be is measured on the others.
   */
  readonly misleading?: boolean;
}

const FOLDER = join(import.meta.dirname, 'leads');

/**
 * By batch, because training depends on the order. Those held out are a quarter of the batches, chosen before any of
 * them was scored. Nobody who changes rules, weights or the model looks at them.
 */
export function readLabelledLeads(part: 'training' | 'held-out' | 'hard-facts' | 'all'): LabelledLead[] {
  if (part === 'hard-facts') return readLeads('hard-facts.jsonl');
  const leads = part === 'training' ? [] : readLeads('held-out.jsonl');
  if (part !== 'held-out') {
    const hard = readLeads('hard-cases.jsonl').map((lead) => ({ ...lead, misleading: true }));
    leads.push(...readLeads('training.jsonl'), ...readLeads('real-forms.jsonl'), ...hard);
  }
  return leads.sort((one, other) => (one.batch < other.batch ? -1 : Number(one.batch > other.batch)));
}

function readLeads(file: string): LabelledLead[] {
  const lines = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n');
  return lines.map((text, index) => ({
    line: index + 1,
    ...(JSON.parse(text) as Omit<LabelledLead, 'line'>),
  }));
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
    const exported = JSON.parse(text) as {
      body: LabelledLead['body'];
      fields?: LabelledLead['body'];
      review: { verdict: string };
    };
    // What was scored: of a provider's payload, the fields that were made of it.
    const body = exported.fields ?? exported.body;
    if (typeof body !== 'object' || !['good', 'spam'].includes(exported.review.verdict)) return undefined;
    return { body, label: exported.review.verdict === 'good' ? 'good' : 'bad' };
  } catch {
    return undefined;
  }
}

/**
 * Leads of a deployer: `{ "label": "good", "body": { … } }` on each line, or the export of reviewed leads. `language`,
 * `kind` and `formId` only group them.
 */
export function readOwnLeads(file: string): LabelledLead[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      if (text.trim() === '') return [];
      const lead = readLabelled(text) ?? readVerdict(text);
      if (!lead) {
        throw new Error(
          `${file}, line ${index + 1}: not {"label": "good" or "bad", "body": {…}}, and not a line of the export of reviewed leads`,
        );
      }
      return [{ batch: 'all', kind: 'lead', language: '', ...lead, line: index + 1 }];
    });
}

function readLabelled(
  text: string,
): (Partial<LabelledLead> & Pick<LabelledLead, 'label' | 'body'>) | undefined {
  try {
    const { label, body, fields, formId, language, kind } = JSON.parse(text) as LabelledLead & {
      formId?: string;
    };
    if (!['good', 'bad'].includes(label) || typeof body !== 'object' || body === null) return undefined;
    return {
      label,
      body,
      ...(Array.isArray(fields) && { fields }),
      ...(formId && { batch: formId }),
      ...(language && { language }),
      ...(kind && { kind }),
    };
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
