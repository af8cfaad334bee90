import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { isMadeBy } from '#access/made-by.ts';
import { errorMessage } from '../../api/problem.ts';
import { Confirm, FormDialog } from '../../shared/dialogs.tsx';
import { Moment } from '../../shared/moment.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { type ApiKey, useApiKeys } from '../api-keys/use-api-keys.ts';
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
  const keys = useApiKeys(true);
  const made = (keys.data?.apiKeys ?? []).filter(
    (key) => key.revokedAt === undefined && isMadeBy(key, member),
  );
  const [revokes, setRevokes] = useState(true);
  const revokeApiKeys = revokes && made.length > 0;
  return (
    <Confirm
      title={member.isYou ? 'Leave this workspace?' : `Remove ${member.email}?`}
      confirm={member.isYou ? 'Leave' : 'Remove'}
      busy={remove.isPending || keys.isPending}
      error={remove.error}
      onCancel={onClose}
      onConfirm={() =>
        remove.mutate(
          { revokeApiKeys },
          {
            onSuccess: () => {
              const also = revokeApiKeys ? ' Their API keys were revoked.' : '';
              notify('success', `${member.email} was removed.${also}`);
              onClose();
            },
          },
        )
      }
    >
      <SpaceBetween size="m">
        <Box>
          {member.isYou
            ? 'You lose access at once and are signed out. Only another owner can invite you again.'
            : 'They lose access at once, also where they are signed in now.'}
        </Box>
        <QueryResult of={keys} what="their API keys" inDialog>
          {() =>
            made.length > 0 && (
              <MadeKeys member={member} keys={made} revokes={revokes} onRevokes={setRevokes} />
            )
          }
        </QueryResult>
      </SpaceBetween>
    </Confirm>
  );
}

interface MadeKeysProps {
  readonly member: Member;
  readonly keys: readonly ApiKey[];
  readonly revokes: boolean;
  readonly onRevokes: (revokes: boolean) => void;
}

/** Whoever made a key may still know it. */
function MadeKeys({ member, keys, revokes, onRevokes }: MadeKeysProps) {
  return (
    <SpaceBetween size="xs">
      <Box>{member.isYou ? 'You created these API keys:' : 'They created these API keys:'}</Box>
      <ul>
        {keys.map(({ keyId, name, lastUsedAt }) => (
          <li key={keyId}>
            <span className="value">{name}</span>,{' '}
            {lastUsedAt === undefined ? (
              'never used'
            ) : (
              <>
                last used <Moment at={lastUsedAt} />
              </>
            )}
          </li>
        ))}
      </ul>
      <Checkbox
        checked={revokes}
        description="Programs that use them stop working at once. Keys that you keep can be revoked later."
        onChange={({ detail }) => onRevokes(detail.checked)}
      >
        Revoke these API keys
      </Checkbox>
    </SpaceBetween>
  );
}
