import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { describe } from '#console/api/problem.ts';
import { useChange } from '#console/api/queries.ts';
import { Empty } from '#console/shared/states.tsx';
import { deliveryPath } from '../use-delivery.ts';

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
