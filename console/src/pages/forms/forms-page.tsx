import FormField from '@cloudscape-design/components/form-field';
import type { InputProps } from '@cloudscape-design/components/input';
import Input from '@cloudscape-design/components/input';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useChange, useForms } from '../../api/queries.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { fieldProblem, otherProblem } from './field-drafts.ts';
import { ArchivedForms, FormsTable } from './forms-table.tsx';

export default function FormsPage() {
  const forms = useForms();
  const [parameters, choose] = useUrlParameters();
  const open = () => choose({ create: 'true' });
  return (
    <Page
      title="Forms"
      description="Each form receives leads through its own webhook URL and server tokens."
      actions={
        <OwnerButton variant="primary" onClick={open}>
          Create form
        </OwnerButton>
      }
    >
      <QueryResult of={forms} what="the forms">
        {({ forms: listed }) => <FormsTable forms={listed} onCreate={open} />}
      </QueryResult>
      <ArchivedForms
        shown={parameters.get('archived') === 'shown'}
        onShow={(show) => choose({ archived: show ? 'shown' : undefined })}
      />
      {parameters.has('create') && <CreateForm onCancel={() => choose({ create: undefined })} />}
    </Page>
  );
}

/** Creates a form and goes to its Delivery settings to set a secret. */
function CreateForm({ onCancel }: { readonly onCancel: () => void }) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const [, go] = useLocation();
  const input = useRef<InputProps.Ref>(null);
  useEffect(() => {
    // After the dialog has focused its first button.
    const timer = setTimeout(() => input.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  const notify = useNotify();
  const create = useChange<'createForm', string>((given) => ({
    method: 'POST',
    path: '/settings/forms',
    body: { name: given },
  }));
  const missing = tried && name.trim() === '' && 'Enter a name.';

  function send() {
    setTried(true);
    if (name.trim() === '') return;
    create.mutate(name, {
      onSuccess: (form) => {
        notify('success', `Form “${form.name}” created. Next, set its webhook secret.`);
        // Back goes to the list, not to this dialog.
        go('/forms', { replace: true });
        go(`/forms/${encodeURIComponent(form.formId)}/delivery`);
      },
    });
  }

  return (
    <FormDialog
      title="Create form"
      action="Create"
      busy={create.isPending}
      problem={otherProblem(create.error, 'name')}
      onSubmit={send}
      onCancel={onCancel}
    >
      <FormField
        label="Name"
        description="The webhook URL is based on this name. You can rename the form later; the URL stays the same."
        errorText={missing || fieldProblem(create.error, 'name')}
      >
        <Input
          value={name}
          placeholder="Contact us"
          ref={input}
          onChange={({ detail }) => setName(detail.value)}
        />
      </FormField>
    </FormDialog>
  );
}
