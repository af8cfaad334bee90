import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useChange } from '#console/api/queries.ts';
import { Confirm } from '#console/shared/dialogs.tsx';
import { Empty } from '#console/shared/states.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { deliveryPath } from '../use-delivery.ts';
import { ownSecretProblem } from './secret-rules.ts';

interface NoSecretProps {
  readonly formId: string;
  readonly isArchived: boolean;
  readonly onMade: (secret: string) => void;
  readonly onOwn: () => void;
}

export function NoSecret({ formId, isArchived, onMade, onOwn }: NoSecretProps) {
  const generate = useChange<void, { secret: string }>(() => ({
    method: 'PUT',
    path: `${deliveryPath(formId)}/secret`,
  }));
  // Awaited, since a mutation callback isn't called after the owner leaves the page.
  async function make() {
    const made = await generate.mutateAsync().catch(() => undefined);
    if (made) onMade(made.secret);
  }

  return (
    <Empty
      title="No webhook secret"
      action={
        !isArchived && (
          <SpaceBetween size="s">
            {generate.error && <Alert type="error">{errorMessage(generate.error)}</Alert>}
            <Button variant="primary" loading={generate.isPending} onClick={() => void make()}>
              Generate secret{' '}
            </Button>
            <Button variant="link" onClick={onOwn}>
              Use your own secret
            </Button>
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

export function OwnSecret({ formId, replaces, onDone, onCancel }: OwnSecretProps) {
  const [secret, setSecret] = useState('');
  const [asked, setAsked] = useState(false);
  const notify = useNotify();
  const problem = ownSecretProblem(secret);
  const set = useChange<{ secret: string }, unknown>((body) => ({
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
