import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Form } from '../../api/types.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { Moment } from '../../shared/moment.tsx';
import { Link } from '../../shell/link.tsx';
import { ActiveState } from './active-state.tsx';
import { KeepLeads } from './keep-leads.tsx';
import { RenameForm } from './rename-form.tsx';
import { SecretState } from './secret-state.tsx';
import { SwitchForm } from './switch-form.tsx';

export function GeneralSettings({ form }: { readonly form: Form }) {
  return (
    <Container header={<Header actions={<SwitchForm form={form} />}>General</Header>}>
      <SpaceBetween size="l">
        <RenameForm key={form.name} form={form} />
        <KeepLeads key={form.retentionDays} form={form} />
        <KeyValuePairs
          columns={2}
          items={[
            { label: 'State', value: <ActiveState form={form} /> },
            {
              label: 'Secret',
              value: (
                <SpaceBetween direction="horizontal" size="xs">
                  <SecretState formId={form.formId} />
                  <Link href={`/forms/${encodeURIComponent(form.formId)}/delivery`}>Delivery settings</Link>
                </SpaceBetween>
              ),
            },
            {
              label: 'Webhook address',
              value: (
                <span className="value">
                  <Copyable text={form.url} what="webhook address" />
                </span>
              ),
            },
            { label: 'Created', value: <Moment at={form.createdAt} /> },
          ]}
        />
      </SpaceBetween>
    </Container>
  );
}
