import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import Table from '@cloudscape-design/components/table';
import { Moment } from '../../shared/moment.tsx';
import { useIsViewer } from '../../shared/role.tsx';
import { ROLE_NAMES } from './roles.ts';
import type { Member } from './use-members.ts';

interface MembersTableProps {
  readonly members: readonly Member[];
  readonly onChangeRole: (member: Member) => void;
  readonly onRemove: (member: Member) => void;
}

export function MembersTable({ members, onChangeRole, onRemove }: MembersTableProps) {
  const isViewer = useIsViewer();
  const actions: TableProps.ColumnDefinition<Member> = {
    id: 'actions',
    header: 'Actions',
    minWidth: 180,
    cell: (member) => (
      <SpaceBetween direction="horizontal" size="s">
        <Button
          variant="inline-link"
          ariaLabel={`Change role of ${member.email}`}
          onClick={() => onChangeRole(member)}
        >
          Change role
        </Button>
        <Button variant="inline-link" ariaLabel={`Remove ${member.email}`} onClick={() => onRemove(member)}>
          Remove
        </Button>
      </SpaceBetween>
    ),
  };
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${members.length})`}>
          People
        </Header>
      }
      items={members}
      trackBy="memberId"
      columnDefinitions={isViewer ? COLUMNS : [...COLUMNS, actions]}
      ariaLabels={{ tableLabel: 'People' }}
      enableKeyboardNavigation
      wrapLines
    />
  );
}

const COLUMNS: TableProps.ColumnDefinition<Member>[] = [
  {
    id: 'email',
    header: 'Email address',
    isRowHeader: true,
    minWidth: 180,
    cell: ({ email, isYou }) => (
      <SpaceBetween direction="horizontal" size="xs">
        <span className="value">{email}</span>
        {isYou && <Badge>You</Badge>}
      </SpaceBetween>
    ),
  },
  { id: 'role', header: 'Role', minWidth: 90, cell: ({ role }) => ROLE_NAMES[role] },
  { id: 'status', header: 'Status', minWidth: 170, cell: (member) => <MemberStatus member={member} /> },
];

function MemberStatus({ member: { status, invitedAt, joinedAt } }: { readonly member: Member }) {
  const since = status === 'active' ? joinedAt : invitedAt;
  return (
    <>
      <StatusIndicator type={status === 'active' ? 'success' : 'pending'}>
        {status === 'active' ? 'Active' : 'Invited, hasn’t signed in yet'}
      </StatusIndicator>
      {since !== undefined && (
        <Box fontSize="body-s" color="text-body-secondary">
          since <Moment at={since} />
        </Box>
      )}
    </>
  );
}
