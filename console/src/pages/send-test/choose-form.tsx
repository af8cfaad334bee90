import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import type { ListedForm } from '../../api/types.ts';
import { formNames } from '../../shared/form-names.ts';

interface ChooseFormProps {
  readonly forms: readonly ListedForm[];
  readonly chosen: string | undefined;
  /** The address names a form that is not there. */
  readonly unknown: boolean;
  readonly onChoose: (formId: string) => void;
}

export function ChooseForm({ forms, chosen, unknown, onChoose }: ChooseFormProps) {
  const options = [...formNames(forms)].map(([value, label]) => ({ value, label }));
  return (
    <FormField
      label="Form"
      errorText={unknown && 'There is no such form in your workspace, or it is archived. Choose another.'}
    >
      <Select
        selectedOption={options.find(({ value }) => value === chosen) ?? null}
        options={options}
        placeholder="Choose a form"
        filteringType={options.length > 8 ? 'auto' : 'none'}
        onChange={({ detail }) => onChoose(detail.selectedOption.value ?? '')}
      />
    </FormField>
  );
}
