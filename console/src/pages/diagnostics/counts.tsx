import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRead } from '../../api/queries.ts';
import type { Diagnostics } from '../../api/types.ts';
import { TruncatedNotice } from '../../shared/charts/range-controls.tsx';
import { useNow, usePreviousData } from '../../shared/charts/refresh.ts';
import { rangeStart, type TimeRange } from '../../shared/charts/time-ranges.ts';
import { Moment } from '../../shared/moment.tsx';
import { QueryResult } from '../../shared/states.tsx';
import type { KnownForms } from './known-forms.ts';
import { type Filters, type Grouping, matchingRejections } from './rejection-filters.ts';
import { RejectionPanel } from './rejection-panel.tsx';

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
