import { lazy, Suspense } from 'react';
import type { InboxLead } from '#console/api/types.ts';
import { ConfirmErase } from '../erase-lead.tsx';
import type { Exported } from '../export/export-words.ts';
import type { ExportWanted } from '../export/use-export.tsx';

// Loaded when they are opened.
const ExportDialog = lazy(() => import('../export/export-dialog.tsx'));
const NoteDialog = lazy(() => import('../handling/note-dialog.tsx'));
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));

export type InboxDialog = 'export' | 'note' | 'erase' | 'shortcuts';

interface InboxDialogsProps {
  readonly open: InboxDialog | undefined;
  /** The selected leads, or else the current one. */
  readonly targets: readonly InboxLead[];
  readonly exported: Exported;
  /** If all leads of the list are of one form. */
  readonly formId: string | undefined;
  readonly onClose: () => void;
  readonly onNote: (note: string | null) => void;
  readonly onExport: (wanted: ExportWanted) => void;
  readonly onErased: (done: string) => void;
}

/** The dialog that is open, if any. */
export function InboxDialogs({ open, targets, exported, formId, onClose, ...on }: InboxDialogsProps) {
  return (
    <Suspense>
      {open === 'shortcuts' && <ShortcutsDialog onClose={onClose} />}
      {open === 'note' && (
        <NoteDialog
          title={targets.length === 1 ? 'Mark as handled' : `Mark ${targets.length} leads as handled`}
          action="Mark as handled"
          note={targets.length === 1 ? targets[0]?.handled?.note : undefined}
          onCancel={onClose}
          onSubmit={(note) => {
            onClose();
            on.onNote(note);
          }}
        />
      )}
      {open === 'export' && (
        <ExportDialog
          exported={exported}
          formId={formId}
          onCancel={onClose}
          onExport={(wanted) => {
            on.onExport(wanted);
            onClose();
          }}
        />
      )}
      {open === 'erase' && (
        <ConfirmErase
          submissionIds={targets.map(({ submissionId }) => submissionId)}
          onCancel={onClose}
          onDone={() => {
            onClose();
            on.onErased(targets.length === 1 ? 'Lead deleted.' : `${targets.length} leads deleted.`);
          }}
        />
      )}
    </Suspense>
  );
}
