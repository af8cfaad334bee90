import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { PROVIDERS } from '#sources/providers.ts';
import { useChangeForm, useForm } from '../../api/queries.ts';
import type { Form } from '../../api/types.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { ARCHIVED_FORMS_PATH, leadsPath } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { NeverWorkedNotices } from '../diagnostics/never-worked-notice.tsx';
import { fieldProblem, otherProblem, readRetention, retentionNotice } from './field-drafts.ts';
import { FieldEditor } from './field-editor.tsx';
import { ActiveState, ArchiveForm, SecretState, SwitchForm } from './form-actions.tsx';

export default function FormPage({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  return (
    <Page
      title={form.data?.name ?? 'Form'}
      above={[{ text: 'Forms', href: '/forms' }]}
      actions={form.data && <FormLinks form={form.data} />}
    >
      <QueryResult of={form} what="the form">
        {(read) => <FormSettings key={formId} form={read} />}
      </QueryResult>
    </Page>
  );
}

function FormLinks({ form: { formId, archivedAt } }: { readonly form: Form }) {
  const follow = useFollow();
  const isLive = archivedAt === undefined;
  const id = encodeURIComponent(formId);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href={leadsPath({ formId })} onFollow={follow}>
        Leads
      </Button>
      {isLive && (
        <Button href={`/forms/${id}/delivery`} onFollow={follow}>
          Delivery settings
        </Button>
      )}
      {isLive && (
        <Button href={`/send-test?form=${id}`} onFollow={follow}>
          Send test
        </Button>
      )}
    </SpaceBetween>
  );
}

function FormSettings({ form }: { readonly form: Form }) {
  const [archiving, setArchiving] = useState(false);
  const [, go] = useLocation();
  if (form.archivedAt !== undefined) {
    return (
      <Alert type="info" header="This form is archived">
        Archived on <Moment at={form.archivedAt} />. All submissions are rejected; existing leads are kept.{' '}
        <Link href={ARCHIVED_FORMS_PATH}>View archived forms</Link>
      </Alert>
    );
  }
  return (
    <SpaceBetween size="l">
      <NeverWorkedNotices formId={form.formId} />
      <GeneralSettings form={form} />
      <FieldEditor form={form} />
      <Container
        header={
          <Header actions={<OwnerButton onClick={() => setArchiving(true)}>Archive form</OwnerButton>}>
            Archive
          </Header>
        }
      >
        Permanently stops the form from accepting submissions. Existing leads are kept.
      </Container>
      {archiving && (
        <ArchiveForm form={form} onDone={() => go('/forms')} onCancel={() => setArchiving(false)} />
      )}
    </SpaceBetween>
  );
}

function GeneralSettings({ form }: { readonly form: Form }) {
  return (
    <Container header={<Header actions={<SwitchForm form={form} />}>General</Header>}>
      <SpaceBetween size="l">
        <RenameForm key={form.name} form={form} />
        <KeepLeads key={form.retentionDays} form={form} />
        <KeyValuePairs
          columns={2}
          items={[
            { label: 'Status', value: <ActiveState form={form} /> },
            ...(form.provider === null
              ? []
              : [
                  {
                    label: 'Provider',
                    value: <ProviderLink formId={form.formId} name={form.provider.name} />,
                  },
                ]),
            {
              label: 'Webhook secret',
              value: (
                <SpaceBetween direction="horizontal" size="xs">
                  <SecretState formId={form.formId} />
                  <Link href={`/forms/${encodeURIComponent(form.formId)}/delivery`}>Delivery settings</Link>
                </SpaceBetween>
              ),
            },
            {
              label: 'Webhook URL',
              value: (
                <span className="value">
                  <Copyable text={form.url} what="webhook URL" />
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

function ProviderLink({ formId, name }: { readonly formId: string; readonly name: string }) {
  const href = `/forms/${encodeURIComponent(formId)}/delivery?via=provider`;
  return <Link href={href}>{PROVIDERS.get(name)?.displayName ?? name}</Link>;
}

function RenameForm({ form }: { readonly form: Form }) {
  const [name, setName] = useState(form.name);
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const isEmpty = name.trim() === '';
  const isSame = name.trim() === form.name;

  function send() {
    if (isEmpty || isSame || change.isPending) return;
    // Not a `mutate` callback: the new name remounts this component first.
    change.mutateAsync({ name }).then(
      () => notify('success', 'Form renamed.'),
      () => undefined,
    );
  }

  return (
    <FormField
      label="Name"
      description="Shown only in the console. Renaming doesn’t change the webhook URL."
      errorText={
        (isEmpty && 'Enter a name.') ||
        fieldProblem(change.error, 'name') ||
        otherProblem(change.error, 'name')
      }
      secondaryControl={
        <OwnerButton disabled={isSame || isEmpty} loading={change.isPending} onClick={send}>
          Rename
        </OwnerButton>
      }
    >
      <Input
        value={name}
        onChange={({ detail }) => setName(detail.value)}
        onKeyDown={({ detail }) => detail.key === 'Enter' && send()}
      />
    </FormField>
  );
}

/** Sets the retention of new leads. Needs no confirmation, since existing leads are unaffected. */
function KeepLeads({ form }: { readonly form: Form }) {
  const [typed, setTyped] = useState(form.retentionDays === null ? '' : String(form.retentionDays));
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const wanted = readRetention(typed);
  const isSame = 'days' in wanted && wanted.days === form.retentionDays;

  function send() {
    if ('problem' in wanted || isSame || change.isPending) return;
    const { days } = wanted;
    // Not a `mutate` callback: the new value remounts this component first.
    change.mutateAsync({ retentionDays: days }).then(
      () => notify('success', retentionNotice(days)),
      () => undefined,
    );
  }

  return (
    <FormField
      label="Delete leads after"
      description="Applies to new leads. Existing leads keep their current deletion date."
      constraintText="Number of days. Leave empty to keep leads forever."
      errorText={
        ('problem' in wanted && wanted.problem) ||
        fieldProblem(change.error, 'retentionDays') ||
        otherProblem(change.error, 'retentionDays')
      }
      secondaryControl={
        <OwnerButton
          disabled={isSame || 'problem' in wanted}
          loading={change.isPending}
          onClick={send}
          ariaLabel="Save retention"
        >
          Save
        </OwnerButton>
      }
    >
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Input
          value={typed}
          inputMode="numeric"
          placeholder="Never"
          onChange={({ detail }) => setTyped(detail.value)}
          onKeyDown={({ detail }) => detail.key === 'Enter' && send()}
        />
        days
      </SpaceBetween>
    </FormField>
  );
}
