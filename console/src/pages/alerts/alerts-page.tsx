import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useRead } from '../../api/queries.ts';
import type { DestinationList } from '../../api/types.ts';
import { QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Link, useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { AlertDialog, AlertHistory } from './alert-history.tsx';
import { AlertSettingsPage } from './alert-settings.tsx';
import { OpenAlerts, useOpenAlerts } from './open-alerts.tsx';

/** One chunk for both pages: the entry, which every page loads, lists the files of each chunk. */
export default function AlertsPage({ settings = false }: { readonly settings?: boolean }) {
  return settings ? <AlertSettingsPage /> : <AllAlerts />;
}

function AllAlerts() {
  const [parameters, choose] = useUrlParameters();
  const shown = parameters.get('alert');
  const follow = useFollow();
  return (
    <Page
      title="Alerts"
      description="An alert opens when leads may be getting lost. We check every five minutes."
      actions={
        <Button href="/alerts/settings" onFollow={follow}>
          Alert settings
        </Button>
      }
    >
      <NotSentNotice />
      <OpenPanel />
      <AlertHistory onOpen={(alertId) => choose({ alert: alertId })} />
      {shown !== null && <AlertDialog alertId={shown} onClose={() => choose({ alert: undefined })} />}
    </Page>
  );
}

function OpenPanel() {
  const read = useOpenAlerts();
  const count = read.data?.alerts.length ?? 0;
  return (
    <Container
      header={
        <Header variant="h2" counter={count > 0 ? `(${count})` : undefined}>
          Open
        </Header>
      }
    >
      <QueryResult of={read} what="the open alerts">
        {({ alerts }) => <OpenAlerts alerts={alerts} />}
      </QueryResult>
    </Container>
  );
}

/** Nothing is shown until it is known: a wrong notice would be worse than none. */
function NotSentNotice() {
  const { data } = useRead<DestinationList>('/settings/destinations');
  const isSent = data?.destinations.some(
    ({ status, events }) => status === 'active' && events.includes('alert.opened'),
  );
  if (isSent !== false) return null;
  return (
    <Alert type="info" header="Alerts are shown only here">
      To get them by email or in Slack, add a destination with the events “Alert opened” and “Alert closed”.{' '}
      <Link href="/destinations">View destinations</Link>
    </Alert>
  );
}
