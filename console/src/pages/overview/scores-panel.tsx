import BarChart from '@cloudscape-design/components/bar-chart';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { countLabel, countsUpTo } from '../../shared/charts/value-axis.ts';
import { WhenRead } from '../../shared/states.tsx';
import { scoreBands } from './chart-data.ts';
import type { OverviewReads } from './use-overview.ts';

export function ScoresPanel({ stats }: Pick<OverviewReads, 'stats'>) {
  return (
    <Container fitHeight header={<Header variant="h2">Scores</Header>}>
      <WhenRead of={stats} what="the scores">
        {(read) => {
          if (read.total.accepted === 0) return <Box>Without leads there are no scores.</Box>;
          const data = scoreBands(read);
          return (
            <BarChart
              ariaLabel="Leads by score"
              series={[{ type: 'bar', title: 'Leads', data, valueFormatter: countLabel }]}
              xScaleType="categorical"
              xDomain={data.map(({ x }) => x)}
              yDomain={[0, countsUpTo(Math.max(...data.map(({ y }) => y)))]}
              yTickFormatter={countLabel}
              xTitle="Score, 100 is best"
              hideFilter
              hideLegend
              height={220}
            />
          );
        }}
      </WhenRead>
    </Container>
  );
}
