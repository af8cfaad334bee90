import Alert from '@cloudscape-design/components/alert';
import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useChangeForm } from '#console/api/queries.ts';
import type { Form, ProviderDelivery, ProviderName } from '#console/api/types.ts';
import { Confirm } from '#console/shared/dialogs.tsx';
import { OwnerButton, useIsViewer } from '#console/shared/role.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { PROVIDERS } from '#sources/providers.ts';
import { PROVIDER_GUIDE } from './provider-guide.ts';
import { providerNotes } from './source-rules.ts';

const OPTIONS = [...PROVIDERS.values()].map(({ name, displayName, untested }) => ({
  value: name,
  label: displayName,
  ...(untested && { labelTag: 'Untested' }),
}));

interface ChooseProviderProps {
  readonly form: Form;
  readonly chosen: ProviderDelivery | undefined;
  readonly onChanged: () => void;
}

/** Asks first if the change deletes a secret. `null` disconnects the provider. */
export function ChooseProvider({ form, chosen, onChanged }: ChooseProviderProps) {
  const [asked, setAsked] = useState<ProviderName | null>();
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const isViewer = useIsViewer();
  const isArchived = form.archivedAt !== undefined;
  const row = PROVIDERS.get(chosen?.name ?? '');

  async function send(name: ProviderName | null) {
    const changed = await change
      .mutateAsync({ provider: name === null ? null : { name } })
      .catch(() => undefined);
    if (!changed) return;
    setAsked(undefined);
    onChanged();
    if (name === null) notify('success', `${row?.displayName} disconnected.`);
  }

  function choose(name: ProviderName | null) {
    if (name === chosen?.name) return;
    change.reset();
    if (name !== null && !chosen?.secretSet) void send(name);
    else setAsked(name);
  }

  return (
    <Container
      header={
        <Header
          description="Sends its own signed webhooks straight to this form."
          actions={row && !isArchived && <OwnerButton onClick={() => choose(null)}>Disconnect</OwnerButton>}
        >
          Provider
        </Header>
      }
    >
      <SpaceBetween size="m">
        <FormField
          label="Who sends the leads?"
          errorText={asked === undefined && change.error && errorMessage(change.error)}
        >
          <Select
            selectedOption={OPTIONS.find(({ value }) => value === chosen?.name) ?? null}
            options={OPTIONS}
            placeholder="Choose a provider"
            disabled={isViewer || isArchived || change.isPending}
            onChange={({ detail }) => choose(detail.selectedOption.value as ProviderName)}
          />
        </FormField>
        {!row && (
          <Box color="text-body-secondary">
            Not listed? If the sender can set a header, choose “A tool” above. “Standard Webhooks” and “GitHub
            style” fit many other services.
          </Box>
        )}
        {row?.untested && (
          <Alert
            type="warning"
            header={
              <>
                {row.displayName} <Badge color="severity-medium">Untested</Badge>
              </>
            }
          >
            We couldn’t verify how {row.displayName} signs. Webhooks from its dashboard may not be signed, and
            are then rejected. Watch the first delivery before you rely on it.
          </Alert>
        )}
        {row && (
          <div>
            <Box variant="awsui-key-label">Good to know</Box>
            {[PROVIDER_GUIDE[row.name].retries, ...providerNotes(row)].map((note) => (
              <div key={note}>{note}</div>
            ))}
          </div>
        )}
      </SpaceBetween>
      {asked !== undefined && (
        <Confirm
          title={asked === null ? `Disconnect ${row?.displayName}?` : 'Change the provider?'}
          confirm={asked === null ? 'Disconnect' : 'Change'}
          busy={change.isPending}
          error={change.error}
          onCancel={() => setAsked(undefined)}
          onConfirm={() => void send(asked)}
        >
          Deliveries from {row?.displayName} will be rejected from now on, and its signing secret will be
          deleted here. Existing leads are kept. Remove the webhook at {row?.displayName} first.
        </Confirm>
      )}
    </Container>
  );
}
