import Badge, { type BadgeProps } from '@cloudscape-design/components/badge';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { Lead } from '../../api/types.ts';
import { ENRICHMENT_NAMES } from './lead-words.ts';

// Shown in the table and on a lead's page.

const GRADE_COLOURS: Readonly<Record<string, NonNullable<BadgeProps['color']>>> = {
  A: 'green',
  B: 'blue',
  C: 'grey',
  D: 'red',
};

/** A test lead is fictional: rating it would look like a problem. */
interface Tested {
  readonly test?: boolean | undefined;
}

export function Score({ score, grade, test }: Pick<Lead, 'score' | 'grade'> & Tested) {
  if (test) return <TestBadge />;
  return (
    <>
      {score} {grade !== undefined && <Badge color={GRADE_COLOURS[grade] ?? 'grey'}>{grade}</Badge>}
    </>
  );
}

export function Clean({ clean, review, test }: Pick<Lead, 'clean' | 'review'> & Tested) {
  if (test) return <StatusIndicator type="info">Test</StatusIndicator>;
  if (review?.verdict === 'spam') return <StatusIndicator type="error">Spam</StatusIndicator>;
  return clean ? (
    <StatusIndicator type="success">{review ? 'Clean, reviewed' : 'Clean'}</StatusIndicator>
  ) : (
    <StatusIndicator type="warning">Not clean</StatusIndicator>
  );
}

type State = Lead['enrichment']['state'];

const STATE_TYPES: Readonly<Record<State, StatusIndicatorProps.Type>> = {
  pending: 'pending',
  enriched: 'success',
  failed: 'info',
  skipped: 'stopped',
};

export function EnrichmentState({ state }: { readonly state: State }) {
  return <StatusIndicator type={STATE_TYPES[state]}>{ENRICHMENT_NAMES[state]}</StatusIndicator>;
}

export function TestBadge() {
  return <Badge color="blue">Test</Badge>;
}
