import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { Delivery, Form } from '#console/api/types.ts';
import { ShownOnce } from '#console/shared/shown-once.tsx';
import type { KeptOnce } from '#console/shared/shown-once-memory.tsx';
import { EndGrace, RotateSecret } from './rotate-secret.tsx';
import { SecretState } from './secret-state.tsx';
import { NoSecret, OwnSecret } from './set-secret.tsx';

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
                <Button onClick={() => setAsking('own')}>Use your own secret</Button>
                <Button onClick={() => setAsking('rotate')}>Rotate</Button>
              </SpaceBetween>
            )
          }
        >
          {' '}
          Webhook secret{' '}
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
