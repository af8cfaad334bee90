import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { OwnerButton } from '../../shared/role.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { ChangeRole, RemoveMember } from './change-member.tsx';
import { InviteMember } from './invite-member.tsx';
import { MembersTable } from './members-table.tsx';
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
