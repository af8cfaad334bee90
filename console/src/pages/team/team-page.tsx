import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import Table from '#console/shared/table.tsx';
import { Moment } from '../../shared/moment.tsx';
import { OwnerButton, useIsViewer } from '../../shared/role.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { ChangeRole, RemoveMember } from './change-member.tsx';
import { InviteMember } from './invite-member.tsx';
import { ROLE_NAMES } from './roles.ts';
import { type Member, useMembers } from './use-members.ts';

/** What is being done to whom. */
interface Doing {
  readonly what: 'change-role' | 'remove';
  readonly member: Member;
}

export default function TeamPage() {
  const members = useMembers();
  const [parameters, choose] = useUrlParameters();
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  return (
    <Page
      title="Team"
      description="The people who can sign in to this workspace."
      actions={
        <OwnerButton variant="primary" onClick={() => choose({ invite: '1' })}>
          Invite
        </OwnerButton>
      }
    >
      <QueryResult of={members} what="the team">
        {({ members: all, invitationsLeftToday }) => (
          <SpaceBetween size="l">
            <MembersTable
              members={all}
              onChangeRole={(member) => setDoing({ what: 'change-role', member })}
              onRemove={(member) => setDoing({ what: 'remove', member })}
            />
            <Box color="text-body-secondary">
              {invitationsLeftToday === 0
                ? 'You have used all invitations for today (UTC).'
                : `You can invite ${invitationsLeftToday} more people today (UTC).`}
            </Box>
            {parameters.has('invite') && <InviteMember onClose={() => choose({ invite: undefined })} />}
            {doing?.what === 'change-role' && <ChangeRole member={doing.member} onClose={done} />}
            {doing?.what === 'remove' && <RemoveMember member={doing.member} onClose={done} />}
          </SpaceBetween>
        )}
      </QueryResult>
    </Page>
  );
}

interface MembersTableProps {
  readonly members: readonly Member[];
  readonly onChangeRole: (member: Member) => void;
  readonly onRemove: (member: Member) => void;
}

function MembersTable({ members, onChangeRole, onRemove }: MembersTableProps) {
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
