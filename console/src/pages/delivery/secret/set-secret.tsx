import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { describe } from '#console/api/problem.ts';
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
  // Awaited, and not told by a callback of the mutation: that would not come once the owner has left the page.
  async function make() {
    const made = await generate.mutateAsync().catch(() => undefined);
    if (made) onMade(made.secret);
  }

  return (
    <Empty
      title="No secret is set"
      action={
        !isArchived && (
          <SpaceBetween size="s">
            {generate.error && <Alert type="error">{describe(generate.error)}</Alert>}
            <Button variant="primary" loading={generate.isPending} onClick={() => void make()}>
              Generate a secret
            </Button>
            <Button variant="link" onClick={onOwn}>
              Set one of your own
            </Button>
          </SpaceBetween>
        )
      }
    >
      Until there is one, every webhook to this form is rejected. Generate it here and give it to the
      provider; it is shown once.
    </Empty>
  );
}

interface OwnSecretProps {
  readonly formId: string;
  /** There is a secret already, and it ends. */
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
          notify('success', 'The secret is set. It is not shown again: you have it already.');
          onDone();
        },
      },
    );
  }
  return (
    <Confirm
      title={replaces ? 'Replace the secret with your own' : 'Set a secret of your own'}
      confirm={replaces ? 'Replace' : 'Set'}
      busy={set.isPending}
      error={set.error}
      onConfirm={save}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        {replaces && (
          <Alert type="warning">
            The secret that is set now ends at once, and so does a previous one in its grace. To have both
            work for a while, rotate instead.
          </Alert>
        )}
        <FormField
          label="Secret"
          description="For a provider that gives you the secret, instead of taking yours."
          constraintText="16 to 200 characters, without white space around them."
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
