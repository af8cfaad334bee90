import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Delivery, Form } from '#console/api/types.ts';
import { Copyable } from '#console/shared/copyable.tsx';
import { useShownOnce } from '#console/shared/shown-once-memory.tsx';
import { PROVIDERS, type Provider } from '#sources/providers.ts';
import { Code } from '../snippets/code.tsx';
import { ChooseProvider } from './choose-provider.tsx';
import { EventsPanel } from './events-panel.tsx';
import { FirstDelivery } from './first-delivery.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { PROVIDER_GUIDE } from './provider-guide.ts';
import { ProviderSecret } from './provider-secret.tsx';
import { eventChoice } from './source-rules.ts';

interface ProviderSetupProps {
  readonly form: Form;
  readonly delivery: Delivery;
}

/** A provider from the choice to the first lead. */
export default function ProviderSetup({ form, delivery: { provider } }: ProviderSetupProps) {
  const newSecret = useShownOnce<string>(`provider secret of ${form.formId}`);
  const row = PROVIDERS.get(provider?.name ?? '');
  const choice = row && eventChoice(row);
  return (
    <SpaceBetween size="l">
      <ChooseProvider form={form} chosen={provider} onChanged={newSecret.putAway} />
      {row && provider && (
        // Another provider starts over.
        <SpaceBetween key={provider.name} size="l">
          <Steps row={row} url={provider.url} secret={newSecret.value} />
          <ProviderSecret form={form} row={row} provider={provider} newSecret={newSecret} />
          {(choice === 'some' || choice === 'any') && (
            <EventsPanel key={provider.events.join()} form={form} row={row} events={provider.events} />
          )}
          <FirstDelivery form={form} row={row} provider={provider} />
          <PreviewPanel form={form} row={row} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}

interface StepsProps {
  readonly row: Provider;
  readonly url: string;
  readonly secret: string | undefined;
}

function Steps({ row, url, secret }: StepsProps) {
  const { steps, commands } = PROVIDER_GUIDE[row.name];
  return (
    <Container
      header={
        <Header
          description={`What to do in ${row.displayName}’s own settings. Its menus may have changed since.`}
        >
          Set up
        </Header>
      }
    >
      <SpaceBetween size="m">
        <div>
          <Box variant="awsui-key-label">URL for the provider</Box>
          <Box variant="code">
            <span className="value">
              <Copyable text={url} what="URL for the provider" />
            </span>
          </Box>
        </div>
        <ol className="steps">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {commands?.({ url, secret }).map(({ what, text }) => (
          <Code key={what} what={what} content={text} />
        ))}
      </SpaceBetween>
    </Container>
  );
}
