import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ListedForm, Token } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { tokenState } from './token-state.ts';

interface TokenStateMarkProps {
  readonly token: Token;
  readonly forms: ReadonlyMap<string, ListedForm>;
}

export function TokenStateMark({ token, forms }: TokenStateMarkProps) {
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
      return <StatusIndicator type="warning">Form switched off</StatusIndicator>;
  }
}
