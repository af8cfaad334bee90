import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import Table from '#console/shared/table.tsx';
import { Moment } from '../../shared/moment.tsx';
import { Empty } from '../../shared/states.tsx';
import { scopeText } from './scopes.ts';
import type { ApiKey } from './use-api-keys.ts';

interface KeysTableProps {
  readonly keys: readonly ApiKey[];
  readonly create: ReactNode;
  readonly onRevoke: (key: ApiKey) => void;
}

/** Newest first. */
export function KeysTable({ keys, create, onRevoke }: KeysTableProps) {
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${keys.length})`} actions={create}>
          API keys
        </Header>
      }
      items={keys.toReversed()}
      trackBy="keyId"
      columnDefinitions={columns(onRevoke)}
      ariaLabels={{ tableLabel: 'API keys' }}
      enableKeyboardNavigation
      wrapLines
      empty={
        <Empty title="No API keys">
          Create one for each integration. You choose what it may do, and can revoke it at any time.
        </Empty>
      }
    />
  );
}

function columns(onRevoke: KeysTableProps['onRevoke']): TableProps.ColumnDefinition<ApiKey>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      minWidth: 120,
      cell: ({ name }) => <span className="value">{name}</span>,
    },
    { id: 'state', header: 'Status', minWidth: 130, cell: (key) => <KeyState apiKey={key} /> },
    {
      id: 'scopes',
      header: 'May',
      minWidth: 200,
      cell: ({ scopes }) => scopes.map((scope) => <div key={scope}>{scopeText(scope)}</div>),
    },
    {
      id: 'last-used',
      header: 'Last used',
      minWidth: 130,
      cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'Never' : <Moment at={lastUsedAt} />),
    },
    {
      id: 'created',
      header: 'Created',
      minWidth: 150,
      cell: ({ createdAt, createdBy }) => (
        <>
          <Moment at={createdAt} />
          <Box fontSize="body-s" color="text-body-secondary">
            by <span className="value">{createdBy}</span>
          </Box>
        </>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      cell: (key) =>
        key.revokedAt === undefined ? (
          <Button variant="inline-link" ariaLabel={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        ) : (
          '–'
        ),
    },
  ];
}

function KeyState({ apiKey: { revokedAt } }: { readonly apiKey: ApiKey }) {
  if (revokedAt === undefined) return <StatusIndicator type="success">Active</StatusIndicator>;
  return (
    <>
      <StatusIndicator type="stopped">Revoked</StatusIndicator>
      <Box fontSize="body-s" color="text-body-secondary">
        <Moment at={revokedAt} />
      </Box>
    </>
  );
}
