import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { QueryResult } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { OpenAlerts } from '../alerts/open-alerts.tsx';
import { useOpenAlerts } from '../alerts/use-alerts.ts';

const SHOWN_AT_ONCE = 5;

export function AlertsPanel() {
  const read = useOpenAlerts();
  const count = read.data?.alerts.length ?? 0;
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={count > 0 ? `(${count})` : undefined}
          actions={<Link href="/alerts">All alerts</Link>}
        >
          Alerts
        </Header>
      }
    >
      <QueryResult of={read} what="the alerts">
        {({ alerts }) => (
          <SpaceBetween size="m">
            <OpenAlerts alerts={alerts.slice(0, SHOWN_AT_ONCE)} />
            {count > SHOWN_AT_ONCE && <Link href="/alerts">{`${count - SHOWN_AT_ONCE} more`}</Link>}
          </SpaceBetween>
        )}
      </QueryResult>
    </Container>
  );
}
