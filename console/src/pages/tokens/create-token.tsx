import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { useChange } from '../../api/queries.ts';
import type { ListedForm } from '../../api/types.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { formNames } from '../../shared/forms.ts';
import type { MadeToken } from './new-token.tsx';

interface CreateTokenProps {
  readonly forms: readonly ListedForm[];
  /** Preselected in the URL. */
  readonly formId: string | undefined;
  readonly onMade: (made: MadeToken) => void;
  readonly onClose: () => void;
}

export function CreateToken({ forms, formId, onMade, onClose }: CreateTokenProps) {
  const options = [...formNames(forms)].map(([value, label]) => ({ value, label }));
  const only = options.length === 1 ? options[0] : undefined;
  const [form, setForm] = useState(options.find(({ value }) => value === formId) ?? only);
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const create = useChange<{ formId: string; name: string }, MadeToken>((input) => ({
    method: 'POST',
    path: '/settings/tokens',
    body: input.name === '' ? { formId: input.formId } : input,
  }));

  function send() {
    setAsked(true);
    if (!form) return;
    // Closing the dialog may be skipped if the owner left the page; keeping the token may not.
    const made = create.mutateAsync({ formId: form.value, name: name.trim() }, { onSuccess: onClose });
    made.then(onMade, () => undefined);
  }

  return (
    <FormDialog
      title="Create server token"
      action="Create"
      busy={create.isPending}
      problem={create.error ? errorMessage(create.error) : undefined}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">
        <FormField
          label="Form"
          description="Leads sent with this token go to this form."
          errorText={asked && !form && 'Choose a form.'}
        >
          <Select
            selectedOption={form ?? null}
            options={options}
            placeholder="Choose a form"
            filteringType={options.length > 8 ? 'auto' : 'none'}
            onChange={({ detail }) =>
              setForm(options.find(({ value }) => value === detail.selectedOption.value))
            }
          />
        </FormField>
        <FormField
          label={
            <span>
              Name <i>- optional</i>
            </span>
          }
          description="Describe who uses it, so you know which token to revoke later."
          constraintText="Up to 100 characters."
        >
          <Input value={name} placeholder="Web shop" onChange={({ detail }) => setName(detail.value)} />
        </FormField>
      </SpaceBetween>
    </FormDialog>
  );
}
