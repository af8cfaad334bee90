import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useForm } from '../../api/queries.ts';
import type { Form } from '../../api/types.ts';
import { ARCHIVED_FORMS_PATH } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { FieldEditor } from './field-editor.tsx';
import { ArchiveForm } from './form-actions.tsx';
import { GeneralSettings } from './general-settings.tsx';

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
      <Button href={`/forms/${id}/leads`} onFollow={follow}>
        Leads
      </Button>
      {isLive && (
        <Button href={`/forms/${id}/delivery`} onFollow={follow}>
          Delivery settings
        </Button>
      )}
      {isLive && (
        <Button href={`/send-test?form=${id}`} onFollow={follow}>
          {' '}
          Send test{' '}
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
      <GeneralSettings form={form} />
      <FieldEditor form={form} />
      <Container
        header={
          <Header actions={<Button onClick={() => setArchiving(true)}>Archive form</Button>}>Archive</Header>
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
