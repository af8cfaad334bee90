import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useChange } from '#console/api/queries.ts';
import type { Form, ProviderDelivery } from '#console/api/types.ts';
import { FormDialog } from '#console/shared/dialogs.tsx';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { ShownOnce } from '#console/shared/shown-once.tsx';
import type { KeptOnce } from '#console/shared/shown-once-memory.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import type { Provider } from '#sources/providers.ts';
import { GRACE_PERIODS, SUGGESTED_GRACE_SECONDS } from '../delivery-rules.ts';
import { PROVIDER_GUIDE } from './provider-guide.ts';
import { secretProblem } from './source-rules.ts';

interface ProviderSecretProps {
  readonly form: Form;
  readonly row: Provider;
  readonly provider: ProviderDelivery;
  readonly newSecret: KeptOnce<string>;
}

export function ProviderSecret({ form, row, provider, newSecret }: ProviderSecretProps) {
  const [asking, setAsking] = useState<'paste' | 'generate'>();
  const isArchived = form.archivedAt !== undefined;
  const { secretSet, previousWorksUntil } = provider;
  const close = () => setAsking(undefined);
  const verb = secretSet ? ' new' : '';
  return (
    <Container
      header={
        <Header
          description={PROVIDER_GUIDE[row.name].secretHint}
          actions={
            !isArchived && (
              <SpaceBetween direction="horizontal" size="xs">
                <OwnerButton onClick={() => setAsking('paste')}>{`Paste${verb} secret`}</OwnerButton>
                {row.secret.madeBy === 'owner' && (
                  <OwnerButton
                    variant={secretSet ? 'normal' : 'primary'}
                    onClick={() => setAsking('generate')}
                  >
                    {`Generate${verb} secret`}
                  </OwnerButton>
                )}
              </SpaceBetween>
            )
          }
        >
          Signing secret
        </Header>
      }
    >
      <SpaceBetween size="m">
        {newSecret.value !== undefined && (
          <ShownOnce
            title="Signing secret created"
            value={newSecret.value}
            what="signing secret"
            takesFocus={newSecret.isNew}
            onStored={newSecret.putAway}
          />
        )}
        {secretSet ? (
          <StatusIndicator type="success">Set</StatusIndicator>
        ) : (
          <StatusIndicator type="warning">Not set: every delivery is rejected</StatusIndicator>
        )}
        {previousWorksUntil !== undefined && <Grace formId={form.formId} until={previousWorksUntil} />}
      </SpaceBetween>
      {asking && (
        <SetSecret
          row={row}
          formId={form.formId}
          pastes={asking === 'paste'}
          replaces={secretSet}
          onCancel={close}
          onDone={(made) => {
            if (made === undefined) newSecret.putAway();
            else newSecret.show(made);
            close();
          }}
        />
      )}
    </Container>
  );
}

const secretPath = (formId: string) => `/settings/forms/${encodeURIComponent(formId)}/provider`;

function Grace({ formId, until }: { readonly formId: string; readonly until: string }) {
  const notify = useNotify();
  const end = useChange<'endProviderGrace', void>(() => ({
    method: 'DELETE',
    path: `${secretPath(formId)}/previous-secret`,
  }));
  const expire = () =>
    end.mutate(undefined, { onSuccess: () => notify('success', 'Previous signing secret expired.') });
  return (
    <Alert
      type="info"
      header={
        <>
          The previous secret works until <Moment at={until} />
        </>
      }
      action={
        <OwnerButton loading={end.isPending} onClick={expire}>
          Expire now
        </OwnerButton>
      }
    >
      {end.error ? errorMessage(end.error) : 'Deliveries signed with either secret are accepted until then.'}
    </Alert>
  );
}

interface SetSecretProps {
  readonly row: Provider;
  readonly formId: string;
  readonly pastes: boolean;
  readonly replaces: boolean;
  /** With the secret if the service made it. */
  readonly onDone: (made: string | undefined) => void;
  readonly onCancel: () => void;
}

function SetSecret({ row, formId, pastes, replaces, onDone, onCancel }: SetSecretProps) {
  const [secret, setSecret] = useState('');
  const [graceSeconds, setGraceSeconds] = useState(SUGGESTED_GRACE_SECONDS);
  const notify = useNotify();
  const set = useChange<'setProviderSecret'>((body) => ({
    method: 'PUT',
    path: `${secretPath(formId)}/secret`,
    body,
  }));
  const refused = secretProblem(set.error);

  // Awaited, so that a new secret survives leaving the page.
  async function save() {
    const grace = replaces ? { graceSeconds } : {};
    const done = await set.mutateAsync(pastes ? { secret, ...grace } : grace).catch(() => undefined);
    if (!done) return;
    if (pastes) notify('success', 'Signing secret set.');
    onDone(done.secret);
  }

  return (
    <FormDialog
      title={pastes ? `Paste the signing secret of ${row.displayName}` : 'Generate a signing secret'}
      action={pastes ? 'Save' : 'Generate'}
      busy={set.isPending}
      problem={set.error && !(pastes && refused) ? errorMessage(set.error) : undefined}
      onSubmit={() => void save()}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        {pastes ? (
          <FormField
            label="Signing secret"
            description={
              row.secret.madeBy === 'owner'
                ? `Exactly as it is set at ${row.displayName}.`
                : PROVIDER_GUIDE[row.name].secretHint
            }
            constraintText={`At least ${row.secret.minCharacters} characters. It isn’t shown again.`}
            errorText={refused}
          >
            <Input
              type="password"
              autoComplete="off"
              autoFocus
              value={secret}
              onChange={({ detail }) => {
                setSecret(detail.value);
                set.reset();
              }}
            />
          </FormField>
        ) : (
          <div>The secret is shown once. Enter it at {row.displayName} right after.</div>
        )}
        {replaces && (
          <FormField label="Keep the current secret working for">
            <RadioGroup
              value={String(graceSeconds)}
              onChange={({ detail }) => setGraceSeconds(Number(detail.value))}
              items={GRACE_PERIODS.map(({ seconds, label, description }) => ({
                value: String(seconds),
                label,
                description,
              }))}
            />
          </FormField>
        )}
      </SpaceBetween>
    </FormDialog>
  );
}
