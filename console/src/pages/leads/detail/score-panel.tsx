import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import type { Lead } from '#console/api/types.ts';
import { Link } from '#console/shell/link.tsx';
import { preventsClean, sortedSignals, weightText } from '../lead-words.ts';
import { LEARNED_PATH } from '../review/review-words.ts';
import { findingText } from './finding-text.ts';

/** The score's findings, heaviest first. */
export function ScorePanel({ lead }: { readonly lead: Lead }) {
  return (
    <Table
      items={sortedSignals(lead.signals)}
      trackBy="name"
      wrapLines
      header={
        <Header
          counter={`(${lead.score} of 100)`}
          description="How likely this is a good lead, in percent. Each finding raises or lowers it. Only clean leads are enriched."
        >
          Score
        </Header>
      }
      ariaLabels={{ tableLabel: 'Score breakdown' }}
      empty={<Box color="inherit">No findings.</Box>}
      columnDefinitions={[
        {
          id: 'finding',
          header: 'Finding',
          minWidth: 170,
          isRowHeader: true,
          cell: (signal) => <Finding {...signal} />,
        },
        {
          id: 'weight',
          header: 'Points',
          width: 110,
          minWidth: 100,
          cell: ({ weight }) => <Weight weight={weight} />,
        },
      ]}
    />
  );
}

function Finding(signal: Lead['signals'][number]) {
  const { title, meaning } = findingText(signal);
  return (
    <>
      <div className="value">{title}</div>
      {meaning !== undefined && (
        <Box variant="small" display="block">
          {meaning}
        </Box>
      )}
      {signal.name === 'learned' && <Link href={LEARNED_PATH}>What was learned</Link>}
      {preventsClean(signal.name) && (
        <div>
          <StatusIndicator type="warning">Makes the lead not clean</StatusIndicator>
        </div>
      )}
    </>
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
