import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { Confirm, FormDialog } from '../../shared/dialogs.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { RoleField } from './invite-member.tsx';
import { ROLE_NAMES } from './roles.ts';
import { type Member, useChangeRole, useRemoveMember } from './use-members.ts';

interface ChangeMemberProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function ChangeRole({ member, onClose }: ChangeMemberProps) {
  const notify = useNotify();
  const change = useChangeRole(member);
  const [role, setRole] = useState(member.role);
  return (
    <FormDialog
      title={`Role of ${member.email}`}
      action="Save"
      busy={change.isPending}
      problem={change.error ? errorMessage(change.error) : undefined}
      onCancel={onClose}
      onSubmit={() =>
        change.mutate(role, {
          onSuccess: () => {
            notify('success', `${member.email} is now ${ROLE_NAMES[role].toLowerCase()}.`);
            onClose();
          },
        })
      }
    >
      <RoleField role={role} onRole={setRole} />
    </FormDialog>
  );
}

export function RemoveMember({ member, onClose }: ChangeMemberProps) {
  const notify = useNotify();
  const remove = useRemoveMember(member);
  return (
    <Confirm
      title={member.isYou ? 'Leave this workspace?' : `Remove ${member.email}?`}
      confirm={member.isYou ? 'Leave' : 'Remove'}
      busy={remove.isPending}
      error={remove.error}
      onCancel={onClose}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            notify('success', `${member.email} was removed.`);
            onClose();
          },
        })
      }
    >
      <Box>
        {member.isYou
          ? 'You lose access at once and are signed out. Only another owner can invite you again.'
          : 'They lose access at once, also where they are signed in now. API keys that they created keep working.'}
      </Box>
    </Confirm>
  );
}
