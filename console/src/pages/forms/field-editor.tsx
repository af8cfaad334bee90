import Alert from '@cloudscape-design/components/alert';
import type { AttributeEditorProps } from '@cloudscape-design/components/attribute-editor';
import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Autosuggest from '@cloudscape-design/components/autosuggest';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type Ref, useState } from 'react';
import { useChangeForm, useRead } from '../../api/queries.ts';
import type { Form, LeadPage } from '../../api/types.ts';
import { AskBeforeLeaving } from '../../shared/ask-before-leaving.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import {
  addDrafts,
  apiProblems,
  draftProblems,
  type FieldDraft,
  MAX_FIELDS,
  moveDraft,
  newKeys,
  otherProblem,
  type Part,
  type Problems,
  ROLE_OPTIONS,
  toDrafts,
  toFields,
} from './field-drafts.ts';

/** Edits all fields of a form at once and suggests keys of recent leads. */
export function FieldEditor({ form }: { readonly form: Form }) {
  const [edited, setEdited] = useState<readonly FieldDraft[]>();
  const [tried, setTried] = useState(false);
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const recent = useRead<LeadPage>(`/settings/forms/${encodeURIComponent(form.formId)}/leads`, { limit: 50 });
  const drafts = edited ?? toDrafts(form.fields);
  const offered = newKeys(drafts, recent.data?.columns ?? []);
  const wrong = draftProblems(drafts);
  const refused = apiProblems(change.error);
  const problems = refused.size > 0 ? refused : tried ? wrong : new Map<never, never>();

  function edit(next: readonly FieldDraft[]) {
    setEdited(next);
    change.reset();
  }

  function discard() {
    setEdited(undefined);
    setTried(false);
    change.reset();
  }

  function save() {
    setTried(true);
    if (wrong.size > 0) return;
    change.mutate(
      { fields: toFields(drafts) },
      {
        onSuccess: () => {
          discard();
          notify('success', 'Fields saved.');
        },
      },
    );
  }

  const elsewhere = refused.size > 0 ? undefined : otherProblem(change.error, 'fields');
  return (
    <Container
      header={
        <Header description="Set how lead fields are labeled, ordered and used in scoring. Leads with other fields are still accepted.">
          Fields
        </Header>
      }
      footer={
        <SpaceBetween direction="horizontal" size="xs" alignItems="center">
          <OwnerButton variant="primary" disabled={!edited} loading={change.isPending} onClick={save}>
            Save fields
          </OwnerButton>
          <Button variant="link" disabled={!edited} onClick={discard}>
            Discard changes
          </Button>
          {edited && (
            <>
              <Box color="text-status-inactive">Unsaved changes</Box>
              <AskBeforeLeaving what="fields" />
            </>
          )}
        </SpaceBetween>
      }
    >
      <SpaceBetween size="m">
        {elsewhere !== undefined && <Alert type="error">{elsewhere}</Alert>}
        <AttributeEditor<FieldDraft>
          items={drafts}
          definition={fieldParts({ drafts, offered, problems, onChange: edit })}
          addButtonText="Add field"
          disableAddButton={drafts.length >= MAX_FIELDS}
          onAddButtonClick={() => edit(addDrafts(drafts, ['']))}
          additionalInfo={drafts.length >= MAX_FIELDS && `A form can have up to ${MAX_FIELDS} fields.`}
          empty="No fields configured. Leads show their original keys, and field types are detected from the key names."
          customRowActions={({ item, itemIndex, ref }) => (
            <FieldMenu
              ref={ref}
              name={item.key || `field ${itemIndex + 1}`}
              isFirst={itemIndex === 0}
              isLast={itemIndex === drafts.length - 1}
              onMove={(by) => edit(moveDraft(drafts, itemIndex, itemIndex + by))}
              onRemove={() => edit(drafts.toSpliced(itemIndex, 1))}
            />
          )}
        />
        {offered.length > 0 && (
          <Button variant="inline-link" onClick={() => edit(addDrafts(drafts, offered))}>
            Add all keys from recent leads ({offered.length})
          </Button>
        )}
      </SpaceBetween>
    </Container>
  );
}

interface FieldPartsProps {
  readonly drafts: readonly FieldDraft[];
  /** Keys of recent leads that have no row yet. */
  readonly offered: readonly string[];
  readonly problems: Problems;
  readonly onChange: (drafts: readonly FieldDraft[]) => void;
}

/** The controls of a row: key, label and type. */
function fieldParts(props: FieldPartsProps): AttributeEditorProps.FieldDefinition<FieldDraft>[] {
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

function FieldMenu({ ref, name, isFirst, isLast, onMove, onRemove }: FieldMenuProps) {
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
      Actions
    </ButtonDropdown>
  );
}
