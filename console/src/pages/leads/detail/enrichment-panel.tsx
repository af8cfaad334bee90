import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Lead } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import Table from '#console/shared/table.tsx';
import type { Facts } from '#enrichment/enrichment-item.ts';
import { EnrichmentState } from '../lead-marks.tsx';
import { ENRICHMENT_MEANINGS, failureMeaning } from '../lead-words.ts';
import { factName, factSource, factText, sourceName } from './fact-words.ts';
import { LongText } from './fields-panel.tsx';

/** Which fields are set depends on the state. */
interface Findings {
  readonly state: Lead['enrichment']['state'];
  readonly facts?: Facts;
  readonly reason?: string;
  readonly incomplete?: readonly string[] | undefined;
  readonly enrichedAt?: string;
}

/** What was found about the lead, and where. */
export default function EnrichmentPanel({ enrichment }: { readonly enrichment: Findings }) {
  const facts = Object.entries(enrichment.facts ?? {});
  return (
    <SpaceBetween size="s">
      <EnrichmentState state={enrichment.state} />
      <State enrichment={enrichment} />
      {facts.length > 0 && (
        <Table
          items={facts}
          trackBy={([name]) => name}
          variant="embedded"
          wrapLines
          ariaLabels={{ tableLabel: 'Enrichment' }}
          columnDefinitions={[
            { id: 'fact', header: 'Fact', isRowHeader: true, cell: ([name]) => factName(name) },
            {
              id: 'value',
              header: 'Value',
              cell: ([name, { value }]) => <LongText text={factText(name, value)} what={factName(name)} />,
            },
            { id: 'source', header: 'Source', cell: ([name, fact]) => factSource(name, fact) },
          ]}
        />
      )}
    </SpaceBetween>
  );
}

function State({ enrichment }: { readonly enrichment: Findings }) {
  const { state, enrichedAt, reason, incomplete = [] } = enrichment;
  return (
    <SpaceBetween size="xxs">
      <Box color="inherit">
        {ENRICHMENT_MEANINGS[state]} {reason !== undefined && failureMeaning(reason)}
        {enrichedAt !== undefined && (
          <>
            {' '}
            Looked up on <Moment at={enrichedAt} />.
          </>
        )}
      </Box>
      {incomplete.length > 0 && (
        <StatusIndicator type="warning">
          Incomplete: no response from {incomplete.map(sourceName).join(' and ')}
        </StatusIndicator>
      )}
    </SpaceBetween>
  );
}
