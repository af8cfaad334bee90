import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useChangeForm } from '#console/api/queries.ts';
import type { Form } from '#console/api/types.ts';
import { OwnerButton, useIsViewer } from '#console/shared/role.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import type { Provider } from '#sources/providers.ts';
import { readEvents } from './source-rules.ts';

interface EventsPanelProps {
  readonly form: Form;
  readonly row: Provider;
  readonly events: readonly string[];
}

/** Only for providers with a choice. */
export function EventsPanel({ form, row, events }: EventsPanelProps) {
  const choices = row.events?.choices ?? [];
  const [typed, setTyped] = useState(events.join('\n'));
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const isFixed = useIsViewer() || form.archivedAt !== undefined;
  const chosen = readEvents(typed);
  const isSame = chosen.join() === events.join();
  const isMissing = choices.length > 0 && chosen.length === 0;

  const edit = (text: string) => {
    setTyped(text);
    change.reset();
  };
  function save() {
    const some = chosen.length > 0 && { events: chosen };
    // Not a `mutate` callback: the new list remounts this component first.
    change.mutateAsync({ provider: { name: row.name, ...some } }).then(
      () => notify('success', 'Events saved.'),
      () => undefined,
    );
  }

  return (
    <Container header={<Header description="Other events are accepted, and make no lead.">Events</Header>}>
      <SpaceBetween size="s">
        {choices.length > 0 ? (
          <FormField
            label="Make a lead of"
            errorText={isMissing ? 'Choose at least one.' : change.error && errorMessage(change.error)}
          >
            <SpaceBetween size="xs">
              {choices.map((choice) => (
                <Checkbox
                  key={choice}
                  checked={chosen.includes(choice)}
                  disabled={isFixed}
                  onChange={({ detail }) =>
                    edit(
                      choices
                        .filter((each) => (each === choice ? detail.checked : chosen.includes(each)))
                        .join('\n'),
                    )
                  }
                >
                  {choice}
                </Checkbox>
              ))}
            </SpaceBetween>
          </FormField>
        ) : (
          <FormField
            label="Make a lead of"
            description="The events by their names in the payload’s type, one per line."
            constraintText="Up to 20. Leave empty to make a lead of every event."
            errorText={change.error && errorMessage(change.error)}
          >
            <Textarea
              value={typed}
              rows={3}
              placeholder="form.submitted"
              spellcheck={false}
              readOnly={isFixed}
              onChange={({ detail }) => edit(detail.value)}
            />
          </FormField>
        )}
        {choices.length > 1 && chosen.length > 1 && (
          <Alert type="info">One person who causes both events becomes two leads.</Alert>
        )}
        <OwnerButton
          disabled={isSame || isMissing || form.archivedAt !== undefined}
          loading={change.isPending}
          onClick={save}
        >
          Save events
        </OwnerButton>
      </SpaceBetween>
    </Container>
  );
}
