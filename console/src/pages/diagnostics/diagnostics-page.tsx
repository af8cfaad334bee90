import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useArchivedForms, useForms } from '../../api/queries.ts';
import { RangeChoice } from '../../shared/time-chart.tsx';
import {
  DAY_BY_HOUR,
  findRange,
  HOUR_BY_MINUTE,
  MONTH_BY_DAY,
  WEEK_BY_DAY,
} from '../../shared/time-series.ts';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { Counts } from './counts.tsx';
import { EventDialog, EventsPanel } from './events-panel.tsx';
import { FilterBar, FindRequest } from './rejection-filter-bar.tsx';
import { knownForms, readFilters, readGrouping } from './rejections.ts';

const RANGES = [DAY_BY_HOUR, HOUR_BY_MINUTE, WEEK_BY_DAY, MONTH_BY_DAY] as const;
const SHOWN_RANGES = [HOUR_BY_MINUTE, DAY_BY_HOUR, WEEK_BY_DAY, MONTH_BY_DAY];

export default function DiagnosticsPage() {
  const [parameters, choose] = useUrlParameters();
  // Rejections are shown even if the forms can't be loaded.
  const forms = knownForms(useForms().data?.forms ?? [], useArchivedForms().data?.forms);
  const range = findRange(parameters.get('range'), RANGES);
  const filters = readFilters(parameters);
  const live = parameters.get('live') === '1';
  const requestId = parameters.get('request');
  const openRequest = (request: string | undefined) => choose({ request });
  return (
    <Page
      title="Diagnostics"
      description="See why submissions were rejected. Senders don’t see the reason."
      actions={
        <SpaceBetween direction="horizontal" size="m" alignItems="center">
          <Toggle
            checked={live}
            onChange={({ detail }) => choose({ live: detail.checked ? '1' : undefined })}
          >
            Auto-refresh
          </Toggle>
          <RangeChoice ranges={SHOWN_RANGES} chosen={range} onChoose={(id) => choose({ range: id })} />
        </SpaceBetween>
      }
    >
      <FindRequest onFind={openRequest} />
      <FilterBar forms={forms} filters={filters} split={readGrouping(parameters)} choose={choose} />
      <Counts
        key={range.id}
        range={range}
        filters={filters}
        split={readGrouping(parameters)}
        forms={forms}
        live={live}
      />
      <EventsPanel
        // Other filters start at the first page.
        key={Object.values(filters).join()}
        filters={filters}
        forms={forms}
        live={live}
        onOpen={openRequest}
      />
      {requestId && (
        <EventDialog requestId={requestId} forms={forms} onClose={() => openRequest(undefined)} />
      )}
    </Page>
  );
}
