import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { Lead } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import type { Facts } from '#enrichment/enrichment-item.ts';
import { EnrichmentState } from '../lead-marks.tsx';
import { ENRICHMENT_MEANINGS, failureMeaning } from '../lead-words.ts';
import { factName, factSource, factText, sourceName } from './fact-words.ts';
import { LongText } from './long-text.tsx';
import type { LeadFields } from './read-lead-body.ts';

interface FieldsPanelProps extends LeadFields {
  readonly title: string;
}

/** A 128 KB body can have thousands of keys. Rendering them all at once would take seconds. */
const FIELDS_PER_STEP = 60;
const MAX_NAMED = 10;

export function FieldsPanel({ title, fields, nested }: FieldsPanelProps) {
  const [most, setMost] = useState(FIELDS_PER_STEP);
  const shown = fields.slice(0, most);
  return (
    <Container header={<Header counter={`(${fields.length})`}>{title}</Header>}>
      <SpaceBetween size="m">
        {fields.length === 0 && <Box color="text-body-secondary">No fields with a simple value.</Box>}
        {fields.length > 0 && (
          <KeyValuePairs
            columns={2}
            items={shown.map(({ label, text }) => ({
              label: <span className="value">{label}</span>,
              value: <LongText text={text} what={label} />,
            }))}
          />
        )}
        {shown.length < fields.length && (
          <div>
            <Button onClick={() => setMost(most + FIELDS_PER_STEP)}>
              {`Show ${Math.min(FIELDS_PER_STEP, fields.length - most)} more`}
            </Button>
          </div>
        )}
        {nested.length > 0 && (
          <Box color="text-body-secondary">
            Nested fields, shown in the body: <span className="value">{listed(nested)}</span>
          </Box>
        )}
      </SpaceBetween>
    </Container>
  );
}

function listed(keys: readonly string[]): string {
  const named = keys.slice(0, MAX_NAMED).map((key) => (key.length > 60 ? `${key.slice(0, 60)}…` : key));
  const rest = keys.length - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}

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
        { id: 'source', header: 'Source', cell: ([name, fact]) => factSource(name, fact) },
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
