import type { EnrichmentState } from '../enrichment/enrichment-item.ts';
import { type FieldConfiguration, fieldsTextOf } from '../model/lead-fields.ts';
import type { Lead } from '../model/lead-item.ts';
import type { Review, SenderStatus } from '../model/senders.ts';
import { isTest, type Scalar, sampleColumns, topLevelScalars } from './export/lead-columns.ts';

// 50 leads of 131,072 bytes would exceed the response limit of a function; the full lead is one request away.
const MAX_COLUMNS_SHOWN = 60;
const MAX_NAME_SHOWN = 100;
const MAX_CELL_SHOWN = 200;

export interface LeadRow {
  readonly submissionId: string;
  readonly receivedAt: string;
  readonly surface: string;
  readonly score: number;
  readonly grade?: string;
  readonly clean: boolean;
  readonly enrichment: EnrichmentState;
  /** Absent unless the owner has said that it is spam, or that it is not. */
  readonly review?: Review;
  /** Present if the sender was on the workspace's list when the lead was received. */
  readonly sender?: SenderStatus;
  /** True for a test lead, from the console or from a provider in a test mode, else absent. */
  readonly test?: boolean;
  /** One for each of the page's columns, in their order; a list, since `__proto__` may be a column. */
  readonly cells: readonly string[];
}

export interface LeadTable {
  readonly columns: readonly string[];
  /** True if some keys have no column (the rarest, and those with very long names), else absent. */
  readonly moreKeys?: boolean;
  readonly rows: readonly LeadRow[];
}

export interface LeadPage extends LeadTable {
  /** Set if there may be more, even after a page of few leads or none. */
  readonly cursor?: string;
}

/** Leads as a table: a column for each top-level key that somewhere has a value that fits a cell. */
export function toLeadTable(
  leads: readonly { readonly lead: Lead; readonly state: EnrichmentState }[],
  fields: readonly Pick<FieldConfiguration, 'key'>[] = [],
): LeadTable {
  const configured = new Set(fields.map(({ key }) => key));
  const sample = sampleColumns({ longestName: MAX_NAME_SHOWN, configured });
  const scalarsOf = leads.map(({ lead }) => topLevelScalars(fieldsTextOf(lead)));
  for (const scalars of scalarsOf) sample.add(scalars.keys());
  const columns = sample.columns(MAX_COLUMNS_SHOWN);
  return {
    columns,
    ...(sample.hasMoreThan(MAX_COLUMNS_SHOWN) && { moreKeys: true }),
    rows: leads.map(({ lead, state }, index) => {
      const scalars = scalarsOf[index] as Map<string, Scalar>;
      return {
        ...summaryOf(lead, state, scalars),
        cells: columns.map((name) => shorten(scalars.get(name)?.cell ?? '')),
      };
    }),
  };
}

/** Everything about a lead but what was sent. A grade is there once the scoring gives one. */
export function summaryOf(
  lead: Lead,
  enrichment: EnrichmentState,
  scalars: ReadonlyMap<string, Scalar>,
): Omit<LeadRow, 'cells'> {
  const { leadId: submissionId, receivedAt, surface, score, clean, review, sender } = lead;
  const grade = gradeOf(lead);
  return {
    submissionId,
    receivedAt,
    surface,
    score,
    ...(grade !== undefined && { grade }),
    clean,
    enrichment,
    ...(review && { review: { verdict: review.verdict, at: review.at, by: review.by } }),
    ...(sender && { sender }),
    ...((lead.test || isTest(scalars)) && { test: true }),
  };
}

export function gradeOf(lead: object): string | undefined {
  return 'grade' in lead && typeof lead.grade === 'string' ? lead.grade : undefined;
}

function shorten(cell: string): string {
  if (cell.length <= MAX_CELL_SHOWN) return cell;
  // Not between the halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(cell[MAX_CELL_SHOWN - 1] as string) ? 1 : 0;
  return `${cell.slice(0, MAX_CELL_SHOWN - end)}…`;
}
