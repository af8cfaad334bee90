import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { FormDialog } from '#console/shared/dialogs.tsx';
import { MAX_NOTE_LENGTH } from '../review/handled-steps.ts';

interface NoteDialogProps {
  readonly count: number;
  /** The note that the lead has. */
  readonly note: string | undefined;
  readonly onSubmit: (note: string) => void;
  readonly onCancel: () => void;
}

/** Marks leads as handled, with a note. */
export default function NoteDialog({ count, note, onSubmit, onCancel }: NoteDialogProps) {
  const [text, setText] = useState(note ?? '');
  const [asked, setAsked] = useState(false);
  const length = [...text.trim()].length;
  const problem =
    length === 0
      ? 'Enter a note.'
      : length > MAX_NOTE_LENGTH
        ? `At most ${MAX_NOTE_LENGTH} characters; these are ${length}.`
        : undefined;
  return (
    <FormDialog
      title={count === 1 ? 'Mark as handled' : `Mark ${count} leads as handled`}
      action="Mark as handled"
      busy={false}
      problem={undefined}
      onSubmit={() => (problem === undefined ? onSubmit(text.trim()) : setAsked(true))}
      onCancel={onCancel}
    >
      <FormField
        label="Note"
        description="For your team. It is exported and deleted with the lead."
        constraintText={`Up to ${MAX_NOTE_LENGTH} characters.`}
        errorText={asked && problem}
      >
        <Textarea value={text} rows={4} onChange={({ detail }) => setText(detail.value)} />
      </FormField>
    </FormDialog>
  );
}
