import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { useChange, useChangeForm } from '../../api/queries.ts';
import type { Form, ListedForm } from '../../api/types.ts';
import { Confirm } from '../../shared/dialogs.tsx';
import { useNotify } from '../../shell/notifications.tsx';

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

interface ArchiveFormProps {
  readonly form: Pick<ListedForm, 'formId' | 'name'>;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function ArchiveForm({ form: { formId, name }, onDone, onCancel }: ArchiveFormProps) {
  const notify = useNotify();
  const archive = useChange<void, Form>(() => ({
    method: 'POST',
    path: `/settings/forms/${encodeURIComponent(formId)}/archive`,
  }));

  function confirm() {
    const done = () => {
      notify('success', `${name} is archived. Its leads are under Archived forms, on the Forms page.`);
      onDone();
    };
    // Not as a callback of `mutate`: the page shows the form as archived, without this, before it would be called.
    archive.mutateAsync().then(done, () => undefined);
  }

  return (
    <Confirm
      title={`Archive ${name}?`}
      confirm="Archive"
      busy={archive.isPending}
      error={archive.error}
      onCancel={onCancel}
      onConfirm={confirm}
    >
      <Box variant="p">
        From now on every submission to it is rejected, and it goes over to the archived forms. This cannot be
        undone.
      </Box>
      <Box variant="p">
        Its leads stay: under Archived forms, on the Forms page, they can be read, exported and deleted. To
        pause a form, make it inactive instead.
      </Box>
    </Confirm>
  );
}
