import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { FormDialog } from '#console/shared/dialogs.tsx';
import { MAX_NOTE_LENGTH } from '../review/handled-steps.ts';

interface NoteDialogProps {
  readonly title: string;
  readonly action: string;
  /** The note that the lead has. */
  readonly note: string | undefined;
  /** Null removes the note. */
  readonly onSubmit: (note: string | null) => void;
  readonly onCancel: () => void;
}

/** Asks for the note of handled leads. A note that there is can be emptied. */
export default function NoteDialog({ title, action, note, onSubmit, onCancel }: NoteDialogProps) {
  const [text, setText] = useState(note ?? '');
  const [asked, setAsked] = useState(false);
  const length = [...text.trim()].length;
  const problem =
    length === 0 && note === undefined
      ? 'Enter a note.'
      : length > MAX_NOTE_LENGTH
        ? `At most ${MAX_NOTE_LENGTH} characters; these are ${length}.`
        : undefined;
  return (
    <FormDialog
      title={title}
      action={action}
      busy={false}
      problem={undefined}
      onSubmit={() => (problem === undefined ? onSubmit(text.trim() || null) : setAsked(true))}
      onCancel={onCancel}
    >
      <FormField
        label="Note"
        description="Everybody in your team can read it. It is exported and deleted with the lead."
        constraintText={`Up to ${MAX_NOTE_LENGTH} characters.`}
        errorText={asked && problem}
        stretch
      >
        <Textarea value={text} rows={4} autoFocus onChange={({ detail }) => setText(detail.value)} />
      </FormField>
    </FormDialog>
  );
}
