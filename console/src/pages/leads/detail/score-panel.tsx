import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import type { Lead } from '#console/api/types.ts';
import { keepsFromClean, sortedSignals, weightText } from '../signals.ts';

/** What the score is made of, in plain words, the heaviest first. */
export function ScorePanel({ lead }: { readonly lead: Lead }) {
  return (
    <Table
      items={sortedSignals(lead.signals)}
      trackBy="name"
      wrapLines
      header={
        <Header
          counter={`(${lead.score} of 100)`}
          description="The sum of what was found, kept within 0 and 100. Clean leads go on to enrichment."
        >
          Score
        </Header>
      }
      ariaLabels={{ tableLabel: 'What the score is made of' }}
      empty={<Box color="inherit">Nothing was found that speaks for or against this lead.</Box>}
      columnDefinitions={[
        { id: 'weight', header: 'Weight', width: 110, cell: ({ weight }) => <Weight weight={weight} /> },
        {
          id: 'finding',
          header: 'Finding',
          minWidth: 220,
          isRowHeader: true,
          cell: ({ name, explanation }) => (
            <>
              {explanation}{' '}
              <Box variant="code" color="text-body-secondary">
                {name}
              </Box>
              {keepsFromClean(name) && (
                <div>
                  <StatusIndicator type="warning">Keeps the lead from being clean</StatusIndicator>
                </div>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

function Weight({ weight }: { readonly weight: number }) {
  if (weight === 0) return <StatusIndicator type="info">0</StatusIndicator>;
  const [type, word] = weight > 0 ? (['success', 'raises by'] as const) : (['error', 'lowers by'] as const);
  return (
    <StatusIndicator type={type} iconAriaLabel={word}>
      {weightText(weight)}
    </StatusIndicator>
  );
}
