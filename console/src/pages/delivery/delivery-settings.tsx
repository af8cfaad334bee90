import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Delivery, Form } from '../../api/types.ts';
import { useShownOnce } from '../../shared/shown-once-memory.tsx';
import { AddressPanel } from './address-panel.tsx';
import { DebuggerPanel } from './debugger/debugger-panel.tsx';
import { FormStateAlert } from './form-state-alert.tsx';
import { SecretPanel } from './secret/secret-panel.tsx';
import { SnippetsPanel } from './snippets/snippets-panel.tsx';
import { useAnchor } from './use-anchor.ts';

interface DeliverySettingsProps {
  readonly form: Form;
  readonly delivery: Delivery;
}

export function DeliverySettings({ form, delivery }: DeliverySettingsProps) {
  useAnchor();
  const newSecret = useShownOnce<string>(`secret of ${form.formId}`);
  return (
    <SpaceBetween size="l">
      <FormStateAlert form={form} />
      <AddressPanel url={delivery.url} />
      <SecretPanel form={form} delivery={delivery} newSecret={newSecret} />
      <SnippetsPanel url={delivery.url} fields={form.fields} secret={newSecret.value} />
      <section id="debugger" className="anchor">
        <DebuggerPanel formId={form.formId} url={delivery.url} />
      </section>
    </SpaceBetween>
  );
}
