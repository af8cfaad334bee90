import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { Form } from '../../api/types.ts';
import { useNotify } from '../../shell/notifications.tsx';
import { problemAt, problemElsewhere } from './field-problem.ts';
import { readRetention, retentionChanged } from './retention.ts';
import { useChangeForm } from './use-change-form.ts';

/** How long leads of a form are kept. It deletes nothing that is there, so that nobody has to be asked twice. */
export function KeepLeads({ form }: { readonly form: Form }) {
  const [typed, setTyped] = useState(form.retentionDays === null ? '' : String(form.retentionDays));
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const wanted = readRetention(typed);
  const isSame = 'days' in wanted && wanted.days === form.retentionDays;

  function send() {
    if ('problem' in wanted || isSame || change.isPending) return;
    const { days } = wanted;
    // Not as a callback of `mutate`: the new value replaces this component before it would be called.
    change.mutateAsync({ retentionDays: days }).then(
      () => notify('success', retentionChanged(days)),
      () => undefined,
    );
  }

  return (
    <FormField
      label="Delete leads after"
      description="Holds for leads that come in from now on. Those that are there keep the time that they came in with."
      constraintText="A number of days. Leave it empty to keep leads for ever."
      errorText={
        ('problem' in wanted && wanted.problem) ||
        problemAt(change.error, 'retentionDays') ||
        problemElsewhere(change.error, 'retentionDays')
      }
      secondaryControl={
        <Button
          disabled={isSame || 'problem' in wanted}
          loading={change.isPending}
          onClick={send}
          ariaLabel="Save how long leads are kept"
        >
          Save
        </Button>
      }
    >
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Input
          value={typed}
          inputMode="numeric"
          placeholder="Never"
          onChange={({ detail }) => setTyped(detail.value)}
          onKeyDown={({ detail }) => detail.key === 'Enter' && send()}
        />
        days
      </SpaceBetween>
    </FormField>
  );
}
