import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { FormDialog } from '#console/shared/dialogs.tsx';
import { useHandleLeads } from './use-handling.ts';

const MAX_NOTE_LENGTH = 500;

interface NoteDialogProps {
  readonly submissionId: string;
  readonly note: string;
  readonly onClose: () => void;
}

/** Changes the note of a handled lead. An empty one is removed. */
export default function NoteDialog({ submissionId, note, onClose }: NoteDialogProps) {
  const [typed, setTyped] = useState(note);
  const change = useHandleLeads();
  const length = [...typed].length;
  const isTooLong = length > MAX_NOTE_LENGTH;
  return (
    <FormDialog
      title="Note"
      action="Save note"
      busy={change.isPending}
      problem={change.error ? errorMessage(change.error) : undefined}
      onCancel={onClose}
      onSubmit={() => {
        if (isTooLong) return;
        const body = { submissionIds: [submissionId], handled: true, note: typed.trim() || null };
        change.mutate(body, { onSuccess: onClose });
      }}
    >
      <FormField
        label="What was done"
        description="Everybody in your team can read it. It is deleted with the lead."
        constraintText={`${length} of ${MAX_NOTE_LENGTH} characters`}
        errorText={isTooLong && `At most ${MAX_NOTE_LENGTH} characters.`}
        stretch
      >
        <Textarea value={typed} rows={4} autoFocus onChange={({ detail }) => setTyped(detail.value)} />
      </FormField>
    </FormDialog>
  );
}
