import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { Role } from '#owner-api/principal.ts';
import { errorMessage } from '../../api/problem.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { isAddress, ROLE_OPTIONS } from './roles.ts';
import { useInvite } from './use-members.ts';

export function InviteMember({ onClose }: { readonly onClose: () => void }) {
  const notify = useNotify();
  const invite = useInvite();
  const [email, setEmail] = useState('');
  // The role that can do less harm.
  const [role, setRole] = useState<Role>('viewer');
  const [asked, setAsked] = useState(false);
  const address = email.trim();

  function send() {
    setAsked(true);
    if (!isAddress(address)) return;
    invite.mutate(
      { email: address, role },
      {
        onSuccess: () => {
          notify(
            'success',
            `Invitation sent to ${address}. The temporary password in it is valid for 7 days.`,
          );
          onClose();
        },
      },
    );
  }

  return (
    <FormDialog
      title="Invite someone"
      action="Send invitation"
      busy={invite.isPending}
      problem={invite.error ? errorMessage(invite.error) : undefined}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">
        <FormField
          label="Email address"
          description="We’ll send a temporary password and how to sign in."
          errorText={asked && !isAddress(address) && 'Enter an email address.'}
        >
          <Input
            value={email}
            type="email"
            autoComplete="off"
            onChange={({ detail }) => setEmail(detail.value)}
          />
        </FormField>
        <RoleField role={role} onRole={setRole} />
      </SpaceBetween>
    </FormDialog>
  );
}

interface RoleFieldProps {
  readonly role: Role;
  readonly onRole: (role: Role) => void;
}

export function RoleField({ role, onRole }: RoleFieldProps) {
  return (
    <FormField label="Role">
      <RadioGroup
        value={role}
        items={[...ROLE_OPTIONS]}
        onChange={({ detail }) => onRole(detail.value === 'owner' ? 'owner' : 'viewer')}
      />
    </FormField>
  );
}
