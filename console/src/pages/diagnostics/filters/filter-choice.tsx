import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';

interface FilterChoiceProps {
  readonly label: string;
  /** What stands there while nothing is chosen. */
  readonly all: string;
  readonly chosen: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string | undefined) => void;
}

const ALL = '';

export function FilterChoice({ label, all, chosen, options, onChoose }: FilterChoiceProps) {
  const every = [{ value: ALL, label: all }, ...options];
  return (
    <FormField label={label}>
      <Select
        selectedOption={every.find(({ value }) => value === (chosen ?? ALL)) ?? null}
        options={every}
        filteringType={every.length > 8 ? 'auto' : 'none'}
        onChange={({ detail }) => onChoose(detail.selectedOption.value || undefined)}
      />
    </FormField>
  );
}
