import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import Toggle from '@cloudscape-design/components/toggle';
import type { ListedForm, Token } from '../../api/types.ts';
import { Empty } from '../../shared/states.tsx';
import { useNamedForms } from '../../shared/use-named-forms.ts';
import { tokenColumns } from './token-columns.tsx';

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
    <Button variant="primary" disabled={forms.length === 0} onClick={onCreate}>
      Create a token
    </Button>
  );
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${shown.length})`} actions={create}>
          Tokens
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
      ariaLabels={{ tableLabel: 'Tokens' }}
      enableKeyboardNavigation
      wrapLines
      stickyColumns={{ last: 1 }}
      empty={
        <Empty
          title={tokens.length === 0 ? 'No tokens yet' : 'All tokens are revoked'}
          action={<Button onClick={onCreate}>Create a token</Button>}
        >
          A backend of your own, or a tool that can send an Authorization header, sends leads with a token.
        </Empty>
      }
    />
  );
}
