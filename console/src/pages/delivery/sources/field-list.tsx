import Badge from '@cloudscape-design/components/badge';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { Form } from '#console/api/types.ts';
import { ROLE_OPTIONS } from '../../forms/field-drafts.ts';
import { leadFields } from '../../leads/detail/read-lead-body.ts';

interface FieldListProps {
  /** JSON of flat fields. */
  readonly text: string;
  readonly form: Form;
  /** The key of the field that has each role. */
  readonly roles: Readonly<Record<string, string>>;
}

const MAX_SHOWN = 30;
const MAX_CHARACTERS = 200;

/** The fields of a lead with what they were recognized as. */
export function FieldList({ text, form, roles }: FieldListProps) {
  const { fields } = leadFields(text, form.fields);
  const rest = fields.length - MAX_SHOWN;
  return (
    <>
      <KeyValuePairs
        columns={2}
        items={fields.slice(0, MAX_SHOWN).map((field) => ({
          label: (
            <span className="value">
              {field.label} <Roles of={field.key} roles={roles} />
            </span>
          ),
          value: <span className="value">{shortened(field.text)}</span>,
        }))}
      />
      {rest > 0 && <div>{rest} more fields</div>}
    </>
  );
}

function Roles({ of, roles }: { readonly of: string; readonly roles: FieldListProps['roles'] }) {
  return Object.entries(roles)
    .filter(([, key]) => key === of)
    .map(([role]) => <Badge key={role}>{roleName(role)}</Badge>);
}

const roleName = (role: string) => ROLE_OPTIONS.find(({ value }) => value === role)?.label ?? role;

const shortened = (text: string) =>
  text === '' ? '–' : text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
