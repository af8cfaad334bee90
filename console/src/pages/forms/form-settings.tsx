import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Form } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { Link } from '../../shell/link.tsx';
import { ArchiveForm } from './archived/archive-form.tsx';
import { FieldEditor } from './fields/field-editor.tsx';
import { ARCHIVED_FORMS_PATH } from './form-paths.ts';
import { GeneralSettings } from './general-settings.tsx';

export function FormSettings({ form }: { readonly form: Form }) {
  const [archiving, setArchiving] = useState(false);
  const [, go] = useLocation();
  if (form.archivedAt !== undefined) {
    return (
      <Alert type="info" header="This form is archived">
        Since <Moment at={form.archivedAt} /> every submission to it is rejected. Its leads are still there.{' '}
        <Link href={ARCHIVED_FORMS_PATH}>All archived forms</Link>
      </Alert>
    );
  }
  return (
    <SpaceBetween size="l">
      <GeneralSettings form={form} />
      <FieldEditor form={form} />
      <Container
        header={
          <Header actions={<Button onClick={() => setArchiving(true)}>Archive this form</Button>}>
            Archive
          </Header>
        }
      >
        Switches the form off for good and lists it with the archived forms. Its leads stay.
      </Container>
      {archiving && (
        <ArchiveForm form={form} onDone={() => go('/forms')} onCancel={() => setArchiving(false)} />
      )}
    </SpaceBetween>
  );
}
