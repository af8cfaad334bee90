import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { deliveryPath, useChange } from '#console/api/queries.ts';
import type { Delivery, Form } from '#console/api/types.ts';
import { Confirm } from '#console/shared/dialogs.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { ShownOnce } from '#console/shared/shown-once.tsx';
import type { KeptOnce } from '#console/shared/shown-once-memory.tsx';
import { Empty } from '#console/shared/states.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { ownSecretProblem } from '../delivery-rules.ts';
import { EndGrace, RotateSecret, SecretState } from './rotate-secret.tsx';

interface SecretPanelProps {
  readonly form: Form;
  readonly delivery: Delivery;
  readonly newSecret: KeptOnce<string>;
}

type Asking = 'rotate' | 'own' | 'end-grace';

export function SecretPanel({ form, delivery, newSecret }: SecretPanelProps) {
  const [asking, setAsking] = useState<Asking>();
  const { isSet } = delivery.secret;
  const isArchived = form.archivedAt !== undefined;
  const close = () => setAsking(undefined);
  const show = (secret: string) => {
    newSecret.show(secret);
    close();
  };
  // Their own secret replaces the one shown.
  const hide = () => {
    newSecret.putAway();
    close();
  };
  return (
    <Container
      header={
        <Header
          description="The sender signs every request with this secret."
          actions={
            isSet &&
            !isArchived && (
              <SpaceBetween direction="horizontal" size="xs">
                <OwnerButton onClick={() => setAsking('own')}>Use your own secret</OwnerButton>
                <OwnerButton onClick={() => setAsking('rotate')}>Rotate</OwnerButton>
              </SpaceBetween>
            )
          }
        >
          Webhook secret
        </Header>
      }
    >
      <SpaceBetween size="m">
        {newSecret.value !== undefined && (
          <ShownOnce
            title="Webhook secret created"
            value={newSecret.value}
            what="webhook secret"
            takesFocus={newSecret.isNew}
            onStored={newSecret.putAway}
          />
        )}
        {isSet ? (
          <SecretState delivery={delivery} onEndGrace={() => setAsking('end-grace')} />
        ) : (
          <NoSecret
            formId={form.formId}
            isArchived={isArchived}
            onMade={show}
            onOwn={() => setAsking('own')}
          />
        )}
      </SpaceBetween>
      {asking === 'rotate' && <RotateSecret delivery={delivery} onMade={show} onCancel={close} />}
      {asking === 'own' && <OwnSecret formId={form.formId} replaces={isSet} onDone={hide} onCancel={close} />}
      {asking === 'end-grace' && <EndGrace delivery={delivery} onDone={close} onCancel={close} />}
    </Container>
  );
}

interface NoSecretProps {
  readonly formId: string;
  readonly isArchived: boolean;
  readonly onMade: (secret: string) => void;
  readonly onOwn: () => void;
}

export function NoSecret({ formId, isArchived, onMade, onOwn }: NoSecretProps) {
  const generate = useChange<'setSecret', void>(() => ({
    method: 'PUT',
    path: `${deliveryPath(formId)}/secret`,
  }));
  // Awaited, since a mutation callback isn't called after the owner leaves the page.
  async function make() {
    const made = await generate.mutateAsync().catch(() => undefined);
    if (made?.secret) onMade(made.secret);
  }

  return (
    <Empty
      title="No webhook secret"
      action={
        !isArchived && (
          <SpaceBetween size="s">
            {generate.error && <Alert type="error">{errorMessage(generate.error)}</Alert>}
            <OwnerButton variant="primary" loading={generate.isPending} onClick={() => void make()}>
              Generate secret
            </OwnerButton>
            <OwnerButton variant="link" onClick={onOwn}>
              Use your own secret
            </OwnerButton>
          </SpaceBetween>
        )
      }
    >
      Webhooks are rejected until you set a secret. Generate one and give it to your provider. It’s shown only
      once.
    </Empty>
  );
}

interface OwnSecretProps {
  readonly formId: string;
  /** A secret is already set and will be replaced. */
  readonly replaces: boolean;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function OwnSecret({ formId, replaces, onDone, onCancel }: OwnSecretProps) {
  const [secret, setSecret] = useState('');
  const [asked, setAsked] = useState(false);
  const notify = useNotify();
  const problem = ownSecretProblem(secret);
  const set = useChange<'setSecret'>((body) => ({
    method: 'PUT',
    path: `${deliveryPath(formId)}/secret`,
    body,
  }));
  function save() {
    setAsked(true);
    if (problem !== undefined) return;
    set.mutate(
      { secret },
      {
        onSuccess: () => {
          notify('success', 'Webhook secret set.');
          onDone();
        },
      },
    );
  }
  return (
    <Confirm
      title={replaces ? 'Replace webhook secret' : 'Use your own webhook secret'}
      confirm={replaces ? 'Replace' : 'Set'}
      busy={set.isPending}
      error={set.error}
      onConfirm={save}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        {replaces && (
          <Alert type="warning">
            The current secret stops working immediately, and so does the previous one. To keep the current
            secret working for a while, rotate instead.
          </Alert>
        )}
        <FormField
          label="Webhook secret"
          description="Use this if your provider gives you the secret."
          constraintText="16 to 200 characters, with no whitespace around them."
          errorText={asked && problem}
        >
          <Input
            type="password"
            autoComplete="off"
            value={secret}
            onChange={({ detail }) => setSecret(detail.value)}
          />
        </FormField>
      </SpaceBetween>
    </Confirm>
  );
}
