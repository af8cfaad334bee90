import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import type { Form } from '../../api/types.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { useChangeForm } from './use-change-form.ts';

/** Switches a form on or off, after saying what that does to its senders. */
export function SwitchForm({ form }: { readonly form: Form }) {
  const [asking, setAsking] = useState(false);
  const change = useChangeForm(form.formId);
  const notify = useNotify();
  const verb = form.active ? 'Deactivate' : 'Activate';

  function send() {
    const active = !form.active;
    change.mutate(
      { active },
      {
        onSuccess: () => {
          setAsking(false);
          notify('success', `${form.name} is ${active ? 'active' : 'inactive'}.`);
        },
      },
    );
  }

  return (
    <>
      <Button onClick={() => setAsking(true)}>{verb}</Button>
      {asking && (
        <Confirm
          title={`${verb} ${form.name}?`}
          confirm={verb}
          busy={change.isPending}
          error={change.error}
          onConfirm={send}
          onCancel={() => setAsking(false)}
        >
          <Box variant="p">
            {form.active
              ? 'From the very next one on, every submission to this form is rejected, signed webhooks and tokens alike. What is rejected is not kept. You can activate it again at any time.'
              : 'From the very next one on, submissions to this form are accepted again.'}
          </Box>
        </Confirm>
      )}
    </>
  );
}
