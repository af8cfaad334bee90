import type { AttributeEditorProps } from '@cloudscape-design/components/attribute-editor';
import Autosuggest from '@cloudscape-design/components/autosuggest';
import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import type { Ref } from 'react';
import { type FieldDraft, type Part, type Problems, ROLE_OPTIONS } from './field-drafts.ts';

interface FieldPartsProps {
  readonly drafts: readonly FieldDraft[];
  /** Keys of recent leads that have no row yet. */
  readonly offered: readonly string[];
  readonly problems: Problems;
  readonly onChange: (drafts: readonly FieldDraft[]) => void;
}

/** The controls of a row: key, label and type. */
export function fieldParts(props: FieldPartsProps): AttributeEditorProps.FieldDefinition<FieldDraft>[] {
  const { drafts, offered, problems, onChange } = props;
  const set = (index: number, part: Part, text: string) =>
    onChange(drafts.map((draft, at) => (at === index ? { ...draft, [part]: text } : draft)));
  const problemOf = (part: Part) => (_: FieldDraft, index: number) => problems.get(`${index}.${part}`);
  return [
    {
      label: 'Key',
      errorText: problemOf('key'),
      control: ({ key }, index) => (
        <Autosuggest
          value={key}
          options={offered.map((value) => ({ value }))}
          enteredTextLabel={(text) => `Use “${text}”`}
          placeholder="work_email"
          empty="No other keys in recent leads"
          onChange={({ detail }) => set(index, 'key', detail.value)}
        />
      ),
    },
    {
      label: 'Label',
      errorText: problemOf('label'),
      control: ({ label }, index) => (
        <Input
          value={label}
          placeholder="Same as key"
          onChange={({ detail }) => set(index, 'label', detail.value)}
        />
      ),
    },
    {
      label: 'Type',
      errorText: problemOf('role'),
      control: ({ role }, index) => (
        <Select
          options={ROLE_OPTIONS}
          selectedOption={ROLE_OPTIONS.find(({ value }) => value === role) ?? { value: role, label: role }}
          onChange={({ detail }) => set(index, 'role', detail.selectedOption.value ?? '')}
        />
      ),
    },
  ];
}

interface FieldMenuProps {
  readonly ref: Ref<ButtonDropdownProps.Ref>;
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

export function FieldMenu({ ref, name, isFirst, isLast, onMove, onRemove }: FieldMenuProps) {
  return (
    <ButtonDropdown
      ref={ref}
      ariaLabel={`Actions for ${name}`}
      expandToViewport
      items={[
        { id: 'remove', text: 'Remove' },
        { id: 'up', text: 'Move up', disabled: isFirst },
        { id: 'down', text: 'Move down', disabled: isLast },
      ]}
      onItemClick={({ detail: { id } }) => {
        if (id === 'remove') onRemove();
        else onMove(id === 'up' ? -1 : 1);
      }}
    >
      {' '}
      Actions{' '}
    </ButtonDropdown>
  );
}
