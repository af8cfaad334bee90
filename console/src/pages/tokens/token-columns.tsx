import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import type { TableProps } from '@cloudscape-design/components/table';
import type { ListedForm, Token } from '../../api/types.ts';
import { ARCHIVED_FORM, formNames } from '../../shared/form-names.ts';
import { Moment } from '../../shared/moment.tsx';
import { Link } from '../../shell/link.tsx';
import { TokenStateMark } from './token-state-mark.tsx';

/** With the archived forms too, of which some tokens are. */
export function tokenColumns(
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
      header: 'State',
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
      header: 'Ends in',
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
          <Button
            variant="inline-link"
            ariaLabel={`Revoke ${token.name}, ends in ${token.lastFour}`}
            onClick={() => onRevoke(token)}
          >
            Revoke
          </Button>
        ) : (
          '–'
        ),
    },
  ];
}
