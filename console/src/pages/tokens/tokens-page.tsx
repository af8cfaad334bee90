import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { lazy, Suspense, useState } from 'react';
import { useArchivedForms, useChange, useForms, useRead } from '../../api/queries.ts';
import type { Token } from '../../api/types.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { Moment } from '../../shared/moment.tsx';
import { RevokeSecret } from '../../shared/revocable-secrets.tsx';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Link, useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { NeverWorkedNotices } from '../diagnostics/never-worked-notice.tsx';
import { CreateToken, NewToken, useNewTokens } from './create-token.tsx';
import { isRecentlyUsed, PLACEHOLDER, tokenUrl } from './tokens.ts';
import { TokensTable } from './tokens-table.tsx';

const TokenCode = lazy(() => import('./token-code.tsx'));

export default function TokensPage() {
  const [parameters, choose] = useUrlParameters();
  const forms = useForms();
  const archived = useArchivedForms({ enabled: forms.data?.forms.length === 0 });
  const someForm = forms.data?.forms[0] ?? archived.data?.forms[0];
  const tokens = useRead<{ tokens: Token[] }>('/settings/tokens');
  const made = useNewTokens();
  const [revoking, setRevoking] = useState<Token>();
  return (
    <Page
      title="Ingest tokens"
      description={
        <>
          Use server tokens to send leads from your own backend. Each token belongs to one form. If
          submissions are rejected, see <Link href="/diagnostics?surface=1a">Diagnostics</Link>.
        </>
      }
    >
      <QueryResult of={forms} what="the forms">
        {({ forms: listed }) => (
          <QueryResult of={tokens} what="the tokens">
            {({ tokens: all }) => (
              <SpaceBetween size="l">
                <NeverWorkedNotices surface="1a" />
                {made.made.map((token, at) => (
                  <NewToken
                    key={token.tokenId}
                    made={token}
                    isNew={made.isNew && at === 0}
                    forms={listed}
                    onStored={() => made.putAway(token.tokenId)}
                  />
                ))}
                {listed.length === 0 && all.length === 0 ? (
                  <NoFormForTokens />
                ) : (
                  <TokensTable
                    tokens={all}
                    forms={listed}
                    hideRevoked={parameters.get('revoked') === 'hidden'}
                    onHideRevoked={(hide) => choose({ revoked: hide ? 'hidden' : undefined })}
                    onCreate={() => choose({ create: '1' })}
                    onRevoke={setRevoking}
                  />
                )}
                {someForm && <TokenAddress url={tokenUrl(someForm.url)} showCode={made.made.length === 0} />}
                {parameters.has('create') && listed.length > 0 && (
                  <CreateToken
                    forms={listed}
                    formId={parameters.get('form') ?? undefined}
                    onMade={made.show}
                    onClose={() => choose({ create: undefined, form: undefined })}
                  />
                )}
                {revoking && (
                  <RevokeToken
                    token={revoking}
                    // A revoked token no longer needs to be saved.
                    onRevoked={() => made.putAway(revoking.tokenId)}
                    onClose={() => setRevoking(undefined)}
                  />
                )}
              </SpaceBetween>
            )}
          </QueryResult>
        )}
      </QueryResult>
    </Page>
  );
}

function NoFormForTokens() {
  const follow = useFollow();
  return (
    <Container>
      <Empty
        title="No server tokens"
        action={
          <Button variant="primary" href="/forms?create=true" onFollow={follow}>
            Create form
          </Button>
        }
      >
        Each server token belongs to a form. Create a form first.
      </Empty>
    </Container>
  );
}

interface TokenAddressProps {
  readonly url: string;
  /** Hidden next to a new token, which has its own. */
  readonly showCode: boolean;
}

/** The URL for backends: the same for all tokens, since the token determines the form. */
function TokenAddress({ url, showCode }: TokenAddressProps) {
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Use the same URL for all server tokens. The token determines the form."
        >
          Where to send leads
        </Header>
      }
    >
      <SpaceBetween size="s">
        <span className="value">
          <Copyable text={url} what="URL" />
        </span>
        {showCode && (
          <Suspense fallback={<StatusIndicator type="loading">Loading the sample code</StatusIndicator>}>
            <TokenCode url={url} token={PLACEHOLDER} />
          </Suspense>
        )}
      </SpaceBetween>
    </Container>
  );
}

interface RevokeTokenProps {
  readonly token: Token;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

function RevokeToken({ token, onRevoked, onClose }: RevokeTokenProps) {
  const revoke = useChange<'revokeToken', string>((tokenId) => ({
    method: 'DELETE',
    path: `/settings/tokens/${encodeURIComponent(tokenId)}`,
  }));
  const { tokenId, name, lastFour, lastUsedAt } = token;
  return (
    <RevokeSecret
      what="Server token"
      id={tokenId}
      name={name}
      revoke={revoke}
      onRevoked={onRevoked}
      onClose={onClose}
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
    </RevokeSecret>
  );
}
