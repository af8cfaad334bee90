import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { Copyable } from '../../shared/copyable.tsx';
import { Moment } from '../../shared/moment.tsx';
import { RevokeSecret } from '../../shared/revocable-secrets.tsx';
import { useIsViewer } from '../../shared/role.tsx';
import { ShownOnce } from '../../shared/shown-once.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { Code } from '../delivery/snippets/code.tsx';
import { CreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';
import { keyCommand } from './scopes.ts';
import { type ApiKey, useApiKeys, useNewKeys, useRevokeKey } from './use-api-keys.ts';

export default function ApiKeysPage() {
  const isViewer = useIsViewer();
  return (
    <Page
      title="API keys"
      description={
        <>
          Let Zapier, Make, n8n or your own program use this workspace through the{' '}
          <Link href="/api-reference/settings.html" external externalIconAriaLabel="Opens in a new tab">
            settings API
          </Link>
          . To send leads, use ingest tokens instead.
        </>
      }
    >
      {isViewer ? (
        <Alert type="info">
          Only owners can see and create API keys. You are a viewer of this workspace.
        </Alert>
      ) : (
        <Keys />
      )}
    </Page>
  );
}

function Keys() {
  const [parameters, choose] = useUrlParameters();
  const keys = useApiKeys(true);
  const made = useNewKeys();
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = (
    <Button variant="primary" onClick={() => choose({ create: '1' })}>
      Create API key
    </Button>
  );
  return (
    <QueryResult of={keys} what="the API keys">
      {({ apiKeys }) => (
        <SpaceBetween size="l">
          {made.made.map(({ keyId, name, apiKey }, at) => (
            <ShownOnce
              key={keyId}
              title={`API key “${name}” created`}
              value={apiKey}
              what="API key"
              takesFocus={made.isNew && at === 0}
              onStored={() => made.putAway(keyId)}
            />
          ))}
          <KeysTable keys={apiKeys} create={create} onRevoke={setRevoking} />
          <ApiAddress apiKey={made.made[0]?.apiKey} />
          {parameters.has('create') && (
            <CreateKey onMade={made.show} onClose={() => choose({ create: undefined })} />
          )}
          {revoking && (
            <RevokeKey
              apiKey={revoking}
              // A revoked key no longer needs to be saved.
              onRevoked={() => made.putAway(revoking.keyId)}
              onClose={() => setRevoking(undefined)}
            />
          )}
        </SpaceBetween>
      )}
    </QueryResult>
  );
}

/** Where programs find the API, and a command that shows whether a key works. */
function ApiAddress({ apiKey }: { readonly apiKey: string | undefined }) {
  const url = location.origin;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Enter this base URL in your tool. Every path of the API begins with /settings."
        >
          How to use a key
        </Header>
      }
    >
      <SpaceBetween size="s">
        <span className="value">
          <Copyable text={url} what="base URL" />
        </span>
        <div>To check a key that may read leads, run this in a terminal. It returns the newest lead.</div>
        <Code content={keyCommand(url, apiKey)} what="command" />
      </SpaceBetween>
    </Container>
  );
}

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

function RevokeKey({ apiKey: { keyId, name, lastUsedAt }, onRevoked, onClose }: RevokeKeyProps) {
  const revoke = useRevokeKey();
  return (
    <RevokeSecret
      what="API key"
      id={keyId}
      name={name}
      revoke={revoke}
      onRevoked={onRevoked}
      onClose={onClose}
    >
      Whatever uses this key stops working at once. You can’t undo this.{' '}
      {lastUsedAt === undefined ? (
        'It has never been used.'
      ) : (
        <>
          Last used: <Moment at={lastUsedAt} />.
        </>
      )}
    </RevokeSecret>
  );
}
