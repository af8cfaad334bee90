import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useChange } from '../../api/queries.ts';
import type { Token } from '../../api/types.ts';
import { Confirm } from '../../shared/dialogs.tsx';
import { Moment } from '../../shared/moment.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { isRecentlyUsed } from './tokens.ts';

interface RevokeTokenProps {
  readonly token: Token;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

export function RevokeToken({ token, onRevoked, onClose }: RevokeTokenProps) {
  const notify = useNotify();
  const revoke = useChange<string, unknown>((tokenId) => ({
    method: 'DELETE',
    path: `/settings/tokens/${encodeURIComponent(tokenId)}`,
  }));
  const { tokenId, name, lastFour, lastUsedAt } = token;
  return (
    <Confirm
      title={`Revoke “${name}”?`}
      confirm="Revoke"
      busy={revoke.isPending}
      error={revoke.error}
      onCancel={onClose}
      onConfirm={() =>
        revoke.mutate(tokenId, {
          onSuccess: () => {
            notify('success', `Server token “${name}” revoked.`);
            onRevoked();
            onClose();
          },
        })
      }
    >
      <SpaceBetween size="s">
        <Box>
          All further requests with the token ending in …{lastFour} will be rejected. You can’t undo this.
        </Box>
        {isRecentlyUsed(token, Date.now()) ? (
          <Alert type="warning">
            This token was used recently: {lastUsedAt && <Moment at={lastUsedAt} />}. Give the sender a new
            token first, or its leads will be lost.
          </Alert>
        ) : (
          <Box>
            {lastUsedAt ? (
              <>
                Last used on <Moment at={lastUsedAt} />.
              </>
            ) : (
              'This token has never been used.'
            )}
          </Box>
        )}
      </SpaceBetween>
    </Confirm>
  );
}
