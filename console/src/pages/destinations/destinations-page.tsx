import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useLocation } from 'wouter';
import Table from '#console/shared/table.tsx';
import type { Destination } from '../../api/types.ts';
import { OwnerButton } from '../../shared/role.tsx';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Link } from '../../shell/link.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { addressText, destinationHref, eventsText, KIND_NAMES, stateWords } from './destinations.ts';
import { DestinationState, OneDestination } from './one-destination.tsx';
import { CreateDestination, type MadeDestination } from './save-destination.tsx';
import { useSigningSecrets } from './signing-secret.tsx';
import { useDestinations } from './use-destinations.ts';

/** One chunk for both pages: the entry, which every page loads, lists the files of each chunk. */
export default function DestinationsPage({ id }: { readonly id: string | undefined }) {
  return id === undefined ? <AllDestinations /> : <OneDestination key={id} destinationId={id} />;
}

function AllDestinations() {
  const [parameters, choose] = useUrlParameters();
  const read = useDestinations();
  const secrets = useSigningSecrets();
  const notify = useNotify();
  const [, go] = useLocation();
  const open = () => choose({ create: '1' });

  function show(made: MadeDestination) {
    const { destinationId, name, signingSecret, confirmation } = made;
    if (signingSecret !== undefined) secrets.show(destinationId, signingSecret);
    // The owner may have left meanwhile.
    if (location.pathname !== '/destinations') return;
    const next =
      confirmation === 'pending'
        ? 'Messages are on hold until the recipient has confirmed.'
        : 'Send a test event to check that it works.';
    notify('success', `Destination “${name}” created. ${next}`);
    // Back goes to the list, not to this dialog.
    go('/destinations', { replace: true });
    go(destinationHref(destinationId));
  }

  return (
    <Page
      title="Destinations"
      description="Forward leads to your own systems, to Slack or by email as soon as they come in."
    >
      <QueryResult of={read} what="the destinations">
        {({ destinations, canSendEmail }) => (
          <SpaceBetween size="l">
            {destinations
              .filter(({ destinationId }) => secrets.of(destinationId) !== undefined)
              .map(({ destinationId, name }) => (
                <Alert key={destinationId} type="warning" header={`Save the signing secret of “${name}”`}>
                  You won’t be able to see it again after you reload the page.{' '}
                  <Link href={destinationHref(destinationId)}>View signing secret</Link>
                </Alert>
              ))}
            <DestinationsTable destinations={destinations} onCreate={open} />
            {parameters.has('create') && (
              <CreateDestination
                canSendEmail={canSendEmail}
                onMade={show}
                onClose={() => choose({ create: undefined })}
              />
            )}
          </SpaceBetween>
        )}
      </QueryResult>
    </Page>
  );
}

interface DestinationsTableProps {
  readonly destinations: readonly Destination[];
  readonly onCreate: () => void;
}

function DestinationsTable({ destinations, onCreate }: DestinationsTableProps) {
  return (
    <Table
      header={
        <Header
          variant="h2"
          counter={`(${destinations.length})`}
          actions={
            <OwnerButton variant="primary" onClick={onCreate}>
              Create destination
            </OwnerButton>
          }
        >
          Destinations
        </Header>
      }
      items={destinations}
      trackBy="destinationId"
      columnDefinitions={COLUMNS}
      ariaLabels={{ tableLabel: 'Destinations' }}
      enableKeyboardNavigation
      wrapLines
      empty={
        <Empty
          title="No destinations"
          action={<OwnerButton onClick={onCreate}>Create destination</OwnerButton>}
        >
          Accepted leads stay here until you export them. Create a destination to forward new leads.
        </Empty>
      }
    />
  );
}

const COLUMNS: TableProps.ColumnDefinition<Destination>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    minWidth: 140,
    cell: ({ destinationId, name }) => (
      <span className="value">
        <Link href={destinationHref(destinationId)}>{name}</Link>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    minWidth: 150,
    cell: (destination) => (
      <>
        <DestinationState destination={destination} />
        <Box fontSize="body-s" color="text-body-secondary">
          {stateWords(destination).brief}
        </Box>
      </>
    ),
  },
  { id: 'kind', header: 'Kind', minWidth: 100, cell: ({ kind }) => KIND_NAMES[kind] },
  {
    id: 'address',
    header: 'Address',
    minWidth: 220,
    cell: (destination) => <span className="value">{addressText(destination)}</span>,
  },
  { id: 'events', header: 'Events', minWidth: 150, cell: eventsText },
];
