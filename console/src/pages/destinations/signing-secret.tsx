import CodeView from '@cloudscape-design/code-view/code-view';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useChange } from '../../api/queries.ts';
import type { Destination } from '../../api/types.ts';
import { Confirm } from '../../shared/dialogs.tsx';
import { Moment } from '../../shared/moment.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { ShownOnce } from '../../shared/shown-once.tsx';
import { useShownOnce } from '../../shared/shown-once-memory.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { destinationPath, HEADER_WORDS, VERIFY_SNIPPET } from './destinations.ts';

type Secrets = Readonly<Record<string, string>>;

/** New signing secrets that the owner hasn't confirmed yet, by destination. */
export function useSigningSecrets() {
  const { value = {}, isNew, showWith, leave } = useShownOnce<Secrets>('signing secrets');
  return {
    of: (destinationId: string): string | undefined => value[destinationId],
    isNew,
    show: (destinationId: string, secret: string) =>
      showWith((shown = {}) => ({ ...shown, [destinationId]: secret })),
    putAway: (destinationId: string) =>
      leave((shown = {}) => {
        const { [destinationId]: _saved, ...left } = shown;
        return Object.keys(left).length === 0 ? undefined : left;
      }),
  };
}

/** The secret with which the service signs the messages of a webhook. */
export function SigningSecret({ destination }: { readonly destination: Destination }) {
  const { destinationId, secretSetAt, previousSecretWorksUntil: until } = destination;
  const [rotating, setRotating] = useState(false);
  const secrets = useSigningSecrets();
  const shown = secrets.of(destinationId);
  const hasPrevious = until !== undefined && Date.parse(until) > Date.now();
  return (
    <Container
      header={
        <Header
          description="Every message is signed with this secret, so the receiver can check who sent it."
          actions={<OwnerButton onClick={() => setRotating(true)}>Rotate</OwnerButton>}
        >
          Signing secret
        </Header>
      }
    >
      <SpaceBetween size="s">
        {shown !== undefined && (
          <ShownOnce
            title="Signing secret created"
            value={shown}
            what="signing secret"
            takesFocus={secrets.isNew}
            onStored={() => secrets.putAway(destinationId)}
          />
        )}
        {secretSetAt !== undefined && (
          <Box>
            Created on <Moment at={secretSetAt} />.{' '}
            {hasPrevious && (
              <>
                Until <Moment at={until} />, messages are also signed with the previous secret.
              </>
            )}
          </Box>
        )}
        <Box color="text-body-secondary">
          This isn’t a form’s webhook secret, which signs the leads you receive. It follows Standard Webhooks:
          the part after <Box variant="code">whsec_</Box> is the key in base64.
        </Box>
      </SpaceBetween>
      {rotating && (
        <RotateSigningSecret
          destinationId={destinationId}
          onMade={(secret) => secrets.show(destinationId, secret)}
          onClose={() => setRotating(false)}
        />
      )}
    </Container>
  );
}

const HOUR_SECONDS = 3_600;
const SUGGESTED_GRACE_SECONDS = 24 * HOUR_SECONDS;

const GRACE_PERIODS = [
  {
    value: '0',
    label: 'None',
    description: 'Receivers need the new secret immediately. Choose this if the current one was leaked.',
  },
  { value: String(HOUR_SECONDS), label: '1 hour', description: 'If you’re updating one receiver right now.' },
  {
    value: String(SUGGESTED_GRACE_SECONDS),
    label: '24 hours (recommended)',
    description: 'Enough time to update the receiver without losing messages.',
  },
  {
    value: String(7 * 24 * HOUR_SECONDS),
    label: '7 days',
    description: 'If someone else has to update the receiver.',
  },
];

interface RotateSigningSecretProps {
  readonly destinationId: string;
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

function RotateSigningSecret({ destinationId, onMade, onClose }: RotateSigningSecretProps) {
  const [grace, setGrace] = useState(String(SUGGESTED_GRACE_SECONDS));
  const notify = useNotify();
  const rotate = useChange<'rotateSigningSecret'>((body) => ({
    method: 'POST',
    path: `${destinationPath(destinationId)}/rotate`,
    body,
  }));

  // Awaited, since the new secret must survive leaving the page.
  async function make() {
    const made = await rotate.mutateAsync({ graceSeconds: Number(grace) }).catch(() => undefined);
    if (!made) return;
    notify('success', 'Signing secret rotated. Give the new secret to the receiver.');
    onMade(made.signingSecret);
    onClose();
  }

  return (
    <Confirm
      title="Rotate signing secret"
      confirm="Rotate"
      busy={rotate.isPending}
      error={rotate.error}
      onCancel={onClose}
      onConfirm={() => void make()}
    >
      <SpaceBetween size="m">
        <div>
          This generates a new secret and shows it once. Messages can be signed with both secrets for a while,
          so receivers accept them with either one.
        </div>
        <FormField label="Also sign with the current secret for">
          <RadioGroup value={grace} onChange={({ detail }) => setGrace(detail.value)} items={GRACE_PERIODS} />
        </FormField>
      </SpaceBetween>
    </Confirm>
  );
}

/** Collapsed: it is for the developer, once. */
export function VerifyPanel() {
  return (
    <ExpandableSection
      variant="container"
      headerText="How to verify messages"
      headerDescription="Headers of Standard Webhooks, and a receiver in Node.js."
    >
      <SpaceBetween size="m">
        <KeyValuePairs
          columns={3}
          items={HEADER_WORDS.map(({ name, meaning }) => ({
            label: <Box variant="code">{name}</Box>,
            value: meaning,
          }))}
        />
        <Box>
          Reject timestamps that are more than five minutes old. Respond with any 2xx status within 10
          seconds. Messages arrive at least once and in no particular order.
        </Box>
        <CodeView
          content={VERIFY_SNIPPET.trimEnd()}
          wrapLines
          ariaLabel="Receiver in Node.js"
          actions={
            <CopyToClipboard
              textToCopy={VERIFY_SNIPPET}
              copyButtonAriaLabel="Copy receiver"
              copySuccessText="Copied the receiver"
              copyErrorText="Couldn’t copy the receiver. Select and copy it manually."
            />
          }
        />
      </SpaceBetween>
    </ExpandableSection>
  );
}
