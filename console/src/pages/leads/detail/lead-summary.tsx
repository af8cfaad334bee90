import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { Lead } from '#console/api/types.ts';
import { Copyable } from '#console/shared/copyable.tsx';
import { Moment } from '#console/shared/moment.tsx';
import { Clean, EnrichmentState, Score } from '../lead-marks.tsx';
import { surfaceName } from '../lead-words.ts';

export function LeadSummary({ lead }: { readonly lead: Lead }) {
  return (
    <Container header={<Header>Summary</Header>}>
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'Received', value: <Moment at={lead.receivedAt} /> },
          { label: 'Score', value: <Score score={lead.score} grade={lead.grade} /> },
          { label: 'Clean', value: <Clean clean={lead.clean} /> },
          { label: 'Came by', value: surfaceName(lead.surface) },
          { label: 'Enrichment', value: <EnrichmentState state={lead.enrichment.state} /> },
          { label: 'Submission id', value: <Copyable text={lead.leadId} what="submission id" /> },
          ...(lead.keptUntil === undefined
            ? []
            : [{ label: 'Will be deleted', value: <Moment at={lead.keptUntil} /> }]),
        ]}
      />
    </Container>
  );
}
