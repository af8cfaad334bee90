import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import type { Form } from '../../api/types.ts';
import { useNotify } from '../../shell/notifications.tsx';
import { problemAt, problemElsewhere } from './field-problem.ts';
import { useChangeForm } from './use-change-form.ts';

export function RenameForm({ form }: { readonly form: Form }) {
  const [name, setName] = useState(form.name);
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const isEmpty = name.trim() === '';
  const isSame = name.trim() === form.name;

  function send() {
    if (isEmpty || isSame || change.isPending) return;
    // Not as a callback of `mutate`: the new name replaces this component before it would be called.
    change.mutateAsync({ name }).then(
      () => notify('success', 'The form is renamed.'),
      () => undefined,
    );
  }

  return (
    <FormField
      label="Name"
      description="Only for you: the webhook address stays as it is."
      errorText={
        (isEmpty && 'Give the form a name.') ||
        problemAt(change.error, 'name') ||
        problemElsewhere(change.error, 'name')
      }
      secondaryControl={
        <Button disabled={isSame || isEmpty} loading={change.isPending} onClick={send}>
          Rename
        </Button>
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
