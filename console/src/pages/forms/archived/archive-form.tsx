import Box from '@cloudscape-design/components/box';
import { useChange } from '#console/api/queries.ts';
import type { Form, ListedForm } from '#console/api/types.ts';
import { Confirm } from '#console/shared/confirm.tsx';
import { useNotify } from '#console/shell/notifications.tsx';

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
