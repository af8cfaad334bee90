import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { DESTINATION_EVENTS } from '#sending/destination.ts';
import { useForms, useNamedForms } from '../../api/queries.ts';
import type { DestinationKind } from '../../api/types.ts';
import { formNames } from '../../shared/forms.ts';
import type { DestinationDraft, DraftProblems } from './destination-draft.ts';
import { EVENT_WORDS } from './destinations.ts';

interface DestinationFieldsProps {
  readonly draft: DestinationDraft;
  readonly problems: DraftProblems;
  /** A saved destination: its name is required, and a Slack URL may stay as it is. */
  readonly isSaved: boolean;
  readonly onChange: (draft: DestinationDraft) => void;
}

/** Everything but the kind, which can't be changed later. */
export function DestinationFields({ draft, problems, isSaved, onChange }: DestinationFieldsProps) {
  const set = (changes: Partial<DestinationDraft>) => onChange({ ...draft, ...changes });
  const isMessage = draft.kind !== 'webhook';
  return (
    <SpaceBetween size="l">
      <AddressField draft={draft} problem={problems.address} isSaved={isSaved} onChange={onChange} />
      {isMessage && (
        <FormField label="What messages contain" errorText={problems.includeFields}>
          <RadioGroup
            value={draft.includeFields === undefined ? null : String(draft.includeFields)}
            onChange={({ detail }) => set({ includeFields: detail.value === 'true' })}
            items={[
              {
                value: 'true',
                label: 'The lead: who wrote, the message and all other fields',
                description:
                  draft.kind === 'email'
                    ? 'The subject says who wrote, and replies go to the lead. Contains personal data.'
                    : 'Everyone in the channel can read it. Contains personal data.',
              },
              {
                value: 'false',
                label: 'Only the score and a link',
                description: 'To read the lead, people must sign in here.',
              },
            ]}
          />
        </FormField>
      )}
      <FormField
        label={isSaved ? 'Name' : <OptionalLabel text="Name" />}
        description="Visible only to you."
        errorText={problems.name}
      >
        <Input value={draft.name} placeholder="CRM" onChange={({ detail }) => set({ name: detail.value })} />
      </FormField>
      <FormField label="Events" errorText={problems.events}>
        <SpaceBetween size="xs">
          {DESTINATION_EVENTS.map((event) => (
            <Checkbox
              key={event}
              checked={draft.events.includes(event)}
              description={EVENT_WORDS[event].description}
              onChange={({ detail }) =>
                set({
                  events: DESTINATION_EVENTS.filter((each) =>
                    each === event ? detail.checked : draft.events.includes(each),
                  ),
                })
              }
            >
              {EVENT_WORDS[event].name}
            </Checkbox>
          ))}
        </SpaceBetween>
      </FormField>
      <FormsField draft={draft} problem={problems.forms} onChange={onChange} />
      <FormField label="Leads">
        <Checkbox
          checked={draft.onlyClean}
          description="Leads that look like spam, mistakes or tests aren’t sent."
          onChange={({ detail }) => set({ onlyClean: detail.checked })}
        >
          Clean leads only
        </Checkbox>
      </FormField>
    </SpaceBetween>
  );
}

function OptionalLabel({ text }: { readonly text: string }) {
  return (
    <span>
      {text} <i>- optional</i>
    </span>
  );
}

interface FieldProps {
  readonly draft: DestinationDraft;
  readonly problem: string | undefined;
  readonly onChange: (draft: DestinationDraft) => void;
}

const ADDRESS_WORDS: Readonly<
  Record<DestinationKind, { label: string; description: string; placeholder: string }>
> = {
  webhook: {
    label: 'URL',
    description: 'Receives one signed POST per event. Must be an https:// URL on the public internet.',
    placeholder: 'https://crm.example.com/webhooks/leads',
  },
  slack: {
    label: 'Slack webhook URL',
    description: 'Create an incoming webhook in Slack and paste its URL here.',
    placeholder: 'https://hooks.slack.com/services/…',
  },
  email: {
    label: 'Email address',
    description: 'Receives one email per event.',
    placeholder: 'sales@example.com',
  },
};

function AddressField({ draft, problem, isSaved, onChange }: FieldProps & { readonly isSaved: boolean }) {
  const { label, description, placeholder } = ADDRESS_WORDS[draft.kind];
  return (
    <FormField
      label={label}
      description={description}
      errorText={problem}
      constraintText={isSaved && draft.kind === 'slack' && 'Leave empty to keep the current URL.'}
    >
      <Input
        value={draft.address}
        placeholder={placeholder}
        inputMode={draft.kind === 'email' ? 'email' : 'url'}
        autoComplete="off"
        spellcheck={false}
        onChange={({ detail }) => onChange({ ...draft, address: detail.value })}
      />
    </FormField>
  );
}

function FormsField({ draft, problem, onChange }: FieldProps) {
  const named = useNamedForms(useForms().data?.forms, draft.formIds);
  const choose = (formId: string, isChosen: boolean) => {
    const others = draft.formIds.filter((each) => each !== formId);
    onChange({ ...draft, formIds: isChosen ? [...others, formId] : others });
  };
  return (
    <SpaceBetween size="xs">
      <FormField label="Forms">
        <RadioGroup
          value={draft.allForms ? 'all' : 'some'}
          onChange={({ detail }) => onChange({ ...draft, allForms: detail.value === 'all' })}
          items={[
            { value: 'all', label: 'All forms, including new ones' },
            { value: 'some', label: 'Selected forms' },
          ]}
        />
      </FormField>
      {!draft.allForms && (
        <FormField label="Selected forms" errorText={problem}>
          <SpaceBetween size="xs">
            {[...formNames(named)].map(([formId, name]) => (
              <Checkbox
                key={formId}
                checked={draft.formIds.includes(formId)}
                onChange={({ detail }) => choose(formId, detail.checked)}
              >
                <span className="value">{name}</span>
              </Checkbox>
            ))}
          </SpaceBetween>
        </FormField>
      )}
    </SpaceBetween>
  );
}
