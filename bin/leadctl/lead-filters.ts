import type { Command } from 'commander';
import type { LeadFilter } from '../../lambdas/settings/leads/lead-filter.ts';
import { UsageFailure } from './failure.ts';
import { idOf } from './ids.ts';
import { readMoment } from './moment.ts';
import { wholeNumber } from './numbers.ts';

export interface LeadFilterOptions {
  readonly form: string;
  readonly since?: string;
  readonly until?: string;
  readonly clean?: boolean;
  readonly notClean?: boolean;
  readonly minScore?: number;
  readonly maxScore?: number;
}

export function addLeadFilters(command: Command): Command {
  return command
    .requiredOption('--form <id>', 'the form', idOf('form'))
    .option(
      '--since <when>',
      'received since then: 2026-11-15, 2026-11-15T08:00Z, or 36h or 7d ago',
      readMoment,
    )
    .option('--until <when>', 'received before then', readMoment)
    .option('--clean', 'only those that are fit for enrichment')
    .option('--not-clean', 'only those that are not')
    .option('--min-score <n>', 'of this score or more', wholeNumber(0, 100))
    .option('--max-score <n>', 'of this score or less', wholeNumber(0, 100));
}

export function leadFilterOf(options: LeadFilterOptions): LeadFilter {
  const { since, until, clean, notClean, minScore, maxScore } = options;
  if (clean && notClean) throw new UsageFailure('Ask for --clean or for --not-clean: no lead is both.');
  return {
    ...(since !== undefined && { from: Date.parse(since) }),
    ...(until !== undefined && { to: Date.parse(until) }),
    ...((clean || notClean) && { clean: clean === true }),
    ...(minScore !== undefined && { scoreAtLeast: minScore }),
    ...(maxScore !== undefined && { scoreAtMost: maxScore }),
  };
}
