import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { lazy, Suspense, useState } from 'react';
import type { Lead } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton, useIsViewer } from '#console/shared/role.tsx';
import { useActorName, useHandleLeads } from './use-handling.ts';

const NoteDialog = lazy(() => import('./note-dialog.tsx'));

type Handled = Pick<Lead, 'submissionId' | 'handled'>;

/** One click marks the lead as handled, and another takes it back. */
export function HandleButton({ lead: { submissionId, handled } }: { readonly lead: Handled }) {
  const { handle, isPending } = useHandleLeads();
  return (
    <OwnerButton
      loading={isPending}
      onClick={() => handle({ submissionIds: [submissionId], handled: handled === undefined })}
    >
      {handled ? 'Undo “Handled”' : 'Handled'}
    </OwnerButton>
  );
}

/** Who handled the lead and when, with the note. */
export function HandledSummary({ lead }: { readonly lead: Handled }) {
  return lead.handled ? <Summary submissionId={lead.submissionId} handled={lead.handled} /> : null;
}

interface SummaryProps {
  readonly submissionId: string;
  readonly handled: NonNullable<Lead['handled']>;
}

function Summary({ submissionId, handled }: SummaryProps) {
  const [asking, setAsking] = useState(false);
  const who = useActorName(handled);
  const isViewer = useIsViewer();
  const { note } = handled;
  return (
    <div>
      <StatusIndicator type="success">
        Handled by {who}, <Moment at={handled.at} />
      </StatusIndicator>{' '}
      {!isViewer && (
        <Button variant="inline-link" onClick={() => setAsking(true)}>
          {note === undefined ? 'Add a note' : 'Change note'}
        </Button>
      )}
      {note !== undefined && (
        <Box>
          <span className="value value-lines">{note}</span>
        </Box>
      )}
      <Suspense>
        {asking && (
          <NoteDialog submissionId={submissionId} note={note ?? ''} onClose={() => setAsking(false)} />
        )}
      </Suspense>
    </div>
  );
}
