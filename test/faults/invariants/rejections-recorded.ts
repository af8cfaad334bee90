import { KEY_REUSED } from '#rejections/reasons.ts';
import type { RejectionRecord } from '#rejections/rejection-record.ts';
import { plainValues } from '../double/attribute-value.ts';
import type { SubmissionRecord } from '../service/background.ts';
import type { World } from '../service/world.ts';
import { countedExactly } from './counted-exactly.ts';
import { type Observed, submissionIdOf } from './observed.ts';

const TABLES = ['rejections', 'unauthenticatedRejections'];

/**
 * Every rejection is recorded once, with its reason, unless its recording itself met a fault. Diagnostics counts the
 * records exactly, whatever happened.
 */
export function rejectionsRecorded(observed: Observed): string[] {
  const { world } = observed;
  const records = TABLES.flatMap((table) => recordsIn(world, table));
  return [
    ...world.submissions.flatMap((submission) => recordedOnce(observed, submission, records)),
    ...countedExactly(world, records),
  ];
}

function recordsIn({ double }: World, table: string): RejectionRecord[] {
  return double.table(table).all().map(plainValues) as unknown as RejectionRecord[];
}

function recordedOnce(
  { leads }: Observed,
  submission: SubmissionRecord,
  records: readonly RejectionRecord[],
): string[] {
  const { name, reason, answered, strikes } = submission;
  const reasons = records.filter(({ requestId }) => requestId === name).map((record) => record.reason);
  const original = leads.find(({ lead }) => lead.leadId === submissionIdOf(submission))?.madeBy;
  const wanted = reason ?? (original && original !== submission ? KEY_REUSED : undefined);
  const mayBeMissing = !answered || strikes.some(({ table }) => TABLES.includes(table));
  const isRight =
    (reasons.length === 0 && (wanted === undefined || mayBeMissing)) ||
    (reasons.length === 1 && (reasons[0] === wanted || !answered));
  return isRight ? [] : [`${name} should be recorded as ${wanted}, and is recorded as [${reasons}]`];
}
