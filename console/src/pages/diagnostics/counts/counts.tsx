import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRead } from '#console/api/queries.ts';
import type { Diagnostics } from '#console/api/types.ts';
import { beginningOf, type TimeRange } from '#console/shared/charts/time-ranges.ts';
import { TruncatedNotice } from '#console/shared/charts/truncated-notice.tsx';
import { useKept } from '#console/shared/charts/use-kept.ts';
import { useNow } from '#console/shared/charts/use-now.ts';
import { WhenRead } from '#console/shared/states.tsx';
import { type Filters, matching, type Split } from '../filters/filters.ts';
import type { KnownForms } from '../known-forms.ts';
import { Freshness } from './freshness.tsx';
import { RejectionPanel } from './rejection-panel.tsx';

interface CountsProps {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly split: Split;
  readonly forms: KnownForms;
  readonly live: boolean;
}

const LIVE_MS = 10_000;

/** Rate limits in one panel, all other reasons in another. */
export function Counts({ range, filters, split, forms, live }: CountsProps) {
  const from = beginningOf(range, useNow());
  const by = range.bucket === 'minute' ? 'minute' : 'hour';
  const read = useKept(
    useRead<Diagnostics>('/settings/diagnostics', { from, by }, live ? { refetchInterval: LIVE_MS } : {}),
  );
  return (
    <WhenRead of={read} what="the rejections">
      {(diagnostics) => {
        const common = { range: diagnostics, bucket: range.bucket, split, forms, filters };
        return (
          <SpaceBetween size="l">
            <TruncatedNotice of={diagnostics} />
            <Freshness of={diagnostics} />
            <RejectionPanel
              {...common}
              title="Rate-limit rejections"
              description="Submissions over the limit of a minute or a day."
              nothing="No submission went over a limit in this time."
              counts={matching(diagnostics.rateLimited.counts, filters)}
            />
            <RejectionPanel
              {...common}
              title="All other rejections"
              description="Wrong signatures, tokens, bodies, and whatever else was not accepted."
              nothing="Nothing was rejected in this time."
              counts={matching(diagnostics.rejected.counts, filters)}
            />
            {diagnostics.reusedKeys.total > 0 && (
              <RejectionPanel
                {...common}
                title="Idempotency keys reused with another body"
                description="Not rejected, and not stored: the senders got the response to the first request."
                nothing="None."
                counts={matching(diagnostics.reusedKeys.counts, filters)}
              />
            )}
          </SpaceBetween>
        );
      }}
    </WhenRead>
  );
}
