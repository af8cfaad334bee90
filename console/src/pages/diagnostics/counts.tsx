import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { useRead } from '../../api/queries.ts';
import type { Diagnostics } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { TimeChart, TruncatedNotice, useNow, usePreviousData } from '../../shared/time-chart.tsx';
import { type Bucket, formatCount, rangeStart, type TimeRange } from '../../shared/time-series.ts';
import { ReasonGuide } from './reason-help.tsx';
import {
  type Filters,
  type Grouping,
  isFiltered,
  type KnownForms,
  matchingRejections,
  type ReasonSum,
  rejectionSeries,
  sumByReason,
  total,
} from './rejections.ts';

interface CountsProps {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly split: Grouping;
  readonly forms: KnownForms;
  readonly live: boolean;
}

const LIVE_MS = 10_000;

/** Rate limits in one panel, all other reasons in another. */
export function Counts({ range, filters, split, forms, live }: CountsProps) {
  const from = rangeStart(range, useNow());
  const by = range.bucket === 'minute' ? 'minute' : 'hour';
  const read = usePreviousData(
    useRead<Diagnostics>('/settings/diagnostics', { from, by }, live ? { refetchInterval: LIVE_MS } : {}),
  );
  return (
    <QueryResult of={read} what="the rejections">
      {(diagnostics) => {
        const common = { range: diagnostics, bucket: range.bucket, split, forms, filters };
        return (
          <SpaceBetween size="l">
            <TruncatedNotice of={diagnostics} />
            <Freshness of={diagnostics} />
            <RejectionPanel
              {...common}
              title="Rate-limit rejections"
              description="Submissions over the per-minute or daily limit."
              nothing="No submissions exceeded a limit in this period."
              counts={matchingRejections(diagnostics.rateLimited.counts, filters)}
            />
            <RejectionPanel
              {...common}
              title="Other rejections"
              description="Signature, token, body and other errors."
              nothing="No rejections in this period."
              counts={matchingRejections(diagnostics.rejected.counts, filters)}
            />
            {diagnostics.reusedKeys.total > 0 && (
              <RejectionPanel
                {...common}
                title="Idempotency keys reused with another body"
                description="Not stored. The sender got the response to the first request again."
                nothing="None."
                counts={matchingRejections(diagnostics.reusedKeys.counts, filters)}
              />
            )}
          </SpaceBetween>
        );
      }}
    </QueryResult>
  );
}

/** Counts are updated from a stream, so they lag a little. */
function Freshness({ of: { newestAt, newestCountedAt } }: { readonly of: Diagnostics }) {
  return (
    <Box color="text-body-secondary">
      Data may be delayed by a few seconds.
      {newestAt !== null && newestCountedAt !== null && (
        <>
          {' '}
          Newest rejection: <Moment at={newestAt} />, counted {delay(newestAt, newestCountedAt)}.
        </>
      )}
    </Box>
  );
}

function delay(at: string, countedAt: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(countedAt) - Date.parse(at)) / 1000));
  if (seconds < 1) return 'within a second';
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'} later`;
  return `${Math.round(seconds / 60)} minutes later`;
}

interface RejectionPanelProps {
  readonly title: string;
  readonly description: string;
  /** Text for an empty panel. */
  readonly nothing: string;
  readonly counts: Diagnostics['rejected']['counts'];
  readonly range: Pick<Diagnostics, 'from' | 'to'>;
  readonly bucket: Bucket;
  readonly split: Grouping;
  readonly forms: KnownForms;
  readonly filters: Filters;
}

function RejectionPanel(props: RejectionPanelProps) {
  const { title, description, nothing, counts, range, bucket, split, forms, filters } = props;
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${formatCount(total(counts))})`} description={description}>
          {title}
        </Header>
      }
    >
      {counts.length === 0 ? (
        <StatusIndicator type={isFiltered(filters) ? 'info' : 'success'}>
          {isFiltered(filters) ? 'No rejections match the filters.' : nothing}
        </StatusIndicator>
      ) : (
        <SpaceBetween size="l">
          <TimeChart
            label={title}
            series={rejectionSeries(counts, { range, bucket, split, nameOfForm: forms.nameOf })}
            bucket={bucket}
            height={180}
          />
          <SpaceBetween size="xs">
            {sumByReason(counts).map((sum) => (
              <ReasonHelp key={sum.reason} sum={sum} forms={forms} open={filters.reason === sum.reason} />
            ))}
          </SpaceBetween>
        </SpaceBetween>
      )}
    </Container>
  );
}

interface ReasonHelpProps {
  readonly sum: ReasonSum;
  readonly forms: KnownForms;
  readonly open: boolean;
}

const MAX_FORMS = 5;

/** A reason's count, which expands to its meaning and remedy. */
function ReasonHelp({ sum: { reason, count, formIds, surfaces }, forms, open }: ReasonHelpProps) {
  return (
    <ExpandableSection
      // Opens when chosen as a filter, and can be closed again.
      key={String(open)}
      defaultExpanded={open}
      headingTagOverride="h3"
      headerText={`${REASON_GUIDE[reason].title} (${formatCount(count)})`}
    >
      <ReasonGuide
        reason={reason}
        surfaces={surfaces}
        forms={forms.takingLeads(formIds).slice(0, MAX_FORMS)}
      />
    </ExpandableSection>
  );
}
