import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import Toggle from '@cloudscape-design/components/toggle';
import Table from '#console/shared/table.tsx';
import { Term } from '#console/shared/term.tsx';
import { useNamedForms } from '../../api/queries.ts';
import type { ListedForm, Token } from '../../api/types.ts';
import { ARCHIVED_FORM, formNames } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { Empty } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { tokenState } from './tokens.ts';

interface TokensTableProps {
  readonly tokens: readonly Token[];
  readonly forms: readonly ListedForm[];
  readonly hideRevoked: boolean;
  readonly onHideRevoked: (hide: boolean) => void;
  readonly onCreate: () => void;
  readonly onRevoke: (token: Token) => void;
}

/** Newest first. */
export function TokensTable(props: TokensTableProps) {
  const { tokens, forms, hideRevoked, onHideRevoked, onCreate, onRevoke } = props;
  const named = useNamedForms(
    forms,
    tokens.map(({ formId }) => formId),
  );
  const working = tokens.filter(({ revokedAt }) => revokedAt === undefined);
  const shown = (hideRevoked ? working : tokens).toReversed();
  const create = (
    <OwnerButton variant="primary" disabled={forms.length === 0} onClick={onCreate}>
      Create server token
    </OwnerButton>
  );
  return (
    <Table
      header={
        <Header
          variant="h2"
          counter={`(${shown.length})`}
          info={<Term name="ingest token" />}
          actions={create}
        >
          Server tokens
        </Header>
      }
      filter={
        tokens.length > working.length && (
          <Toggle checked={hideRevoked} onChange={({ detail }) => onHideRevoked(detail.checked)}>
            Hide revoked tokens
          </Toggle>
        )
      }
      items={shown}
      trackBy="tokenId"
      columnDefinitions={tokenColumns(named, onRevoke)}
      ariaLabels={{ tableLabel: 'Server tokens' }}
      enableKeyboardNavigation
      wrapLines
      stickyColumns={{ last: 1 }}
      empty={
        <Empty
          title={tokens.length === 0 ? 'No server tokens' : 'No active server tokens'}
          action={<OwnerButton onClick={onCreate}>Create server token</OwnerButton>}
        >
          Create a server token to send leads from your backend or any tool that can set an Authorization
          header.
        </Empty>
      }
    />
  );
}

/** `forms` includes archived forms, since tokens outlive them. */
function tokenColumns(
  forms: readonly ListedForm[],
  onRevoke: (token: Token) => void,
): TableProps.ColumnDefinition<Token>[] {
  const names = formNames(forms);
  const byId = new Map(forms.map((form) => [form.formId, form]));
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      minWidth: 120,
      cell: ({ name }) => <span className="value">{name}</span>,
    },
    {
      id: 'state',
      header: 'Status',
      minWidth: 160,
      cell: (token) => <TokenStateMark token={token} forms={byId} />,
    },
    {
      id: 'form',
      header: 'Form',
      minWidth: 140,
      cell: ({ formId }) => <Link href={`/forms/${formId}`}>{names.get(formId) ?? ARCHIVED_FORM}</Link>,
    },
    {
      id: 'last-four',
      header: 'Last 4 characters',
      minWidth: 100,
      cell: ({ lastFour }) => (
        <Box variant="code" display="inline">
          …{lastFour}
        </Box>
      ),
    },
    {
      id: 'last-used',
      header: 'Last used',
      minWidth: 130,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never'),
    },
    { id: 'created', header: 'Created', minWidth: 130, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      id: 'actions',
      header: 'Actions',
      cell: (token) =>
        token.revokedAt === undefined ? (
          <OwnerButton
            variant="inline-link"
            ariaLabel={`Revoke ${token.name}, ends in ${token.lastFour}`}
            onClick={() => onRevoke(token)}
          >
            Revoke
          </OwnerButton>
        ) : (
          '–'
        ),
    },
  ];
}

interface TokenStateMarkProps {
  readonly token: Token;
  readonly forms: ReadonlyMap<string, ListedForm>;
}

function TokenStateMark({ token, forms }: TokenStateMarkProps) {
  switch (tokenState(token, forms)) {
    case 'works':
      return <StatusIndicator type="success">Active</StatusIndicator>;
    case 'revoked':
      return (
        <>
          <StatusIndicator type="stopped">Revoked</StatusIndicator>
          <Box fontSize="body-s" color="text-body-secondary">
            {token.revokedAt !== undefined && <Moment at={token.revokedAt} />}
          </Box>
        </>
      );
    case 'wrong type':
      return <StatusIndicator type="warning">Not a server token</StatusIndicator>;
    case 'form archived':
      return <StatusIndicator type="warning">Form archived</StatusIndicator>;
    case 'form off':
      return <StatusIndicator type="warning">Form inactive</StatusIndicator>;
  }
}
