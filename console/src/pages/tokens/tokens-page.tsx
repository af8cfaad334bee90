import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useArchivedForms, useForms, useRead } from '../../api/queries.ts';
import type { Token } from '../../api/types.ts';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Link, useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { CreateToken } from './create-token.tsx';
import { NewToken, useNewTokens } from './new-token.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { TokenAddress } from './token-address.tsx';
import { tokenUrl } from './tokens.ts';
import { TokensTable } from './tokens-table.tsx';

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
          submissions are rejected, see <Link href="/tokens/diagnostics">Diagnostics</Link>.
        </>
      }
    >
      <QueryResult of={forms} what="the forms">
        {({ forms: listed }) => (
          <QueryResult of={tokens} what="the tokens">
            {({ tokens: all }) => (
              <SpaceBetween size="l">
                {made.tokens.map((token, at) => (
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
                {someForm && (
                  <TokenAddress url={tokenUrl(someForm.url)} showCommand={made.tokens.length === 0} />
                )}
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
            {' '}
            Create form{' '}
          </Button>
        }
      >
        Each server token belongs to a form. Create a form first.
      </Empty>
    </Container>
  );
}
