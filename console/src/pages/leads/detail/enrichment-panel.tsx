import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import type { Lead } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
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

export function EnrichmentPanel({ enrichment }: { readonly enrichment: Findings }) {
  const facts = Object.entries(enrichment.facts ?? {});
  const header = (
    <Header
      counter={facts.length > 0 ? `(${facts.length})` : ''}
      description={<State enrichment={enrichment} />}
    >
      Enrichment
    </Header>
  );
  if (facts.length === 0) {
    return (
      <Container header={header}>
        <EnrichmentState state={enrichment.state} />
      </Container>
    );
  }
  return (
    <Table
      items={facts}
      trackBy={([name]) => name}
      wrapLines
      header={header}
      ariaLabels={{ tableLabel: 'Enrichment' }}
      columnDefinitions={[
        { id: 'fact', header: 'Fact', isRowHeader: true, cell: ([name]) => factName(name) },
        {
          id: 'value',
          header: 'Value',
          cell: ([name, { value }]) => <LongText text={factText(name, value)} what={factName(name)} />,
        },
        { id: 'source', header: 'Source', cell: ([name, { source }]) => factSource(name, source) },
      ]}
    />
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
