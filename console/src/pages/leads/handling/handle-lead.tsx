import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { lazy, Suspense, useState } from 'react';
import type { Lead } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton, useIsViewer } from '#console/shared/role.tsx';
import { handledStep } from '../review/handled-steps.ts';
import { useSteps } from '../review/use-steps.ts';
import { useActorName } from './use-handling.ts';

const NoteDialog = lazy(() => import('./note-dialog.tsx'));

type Handled = Pick<Lead, 'submissionId' | 'status' | 'handled'>;

/** One click marks the lead as handled, and another takes it back. */
export function HandleButton({ lead }: { readonly lead: Handled }) {
  const { run, busy } = useSteps();
  return (
    <OwnerButton
      loading={busy}
      onClick={() => run(handledStep([lead], { handled: lead.handled === undefined }))}
    >
      {lead.handled ? 'Undo “Handled”' : 'Handled'}
    </OwnerButton>
  );
}

/** Who handled the lead and when, with the note. */
export function HandledSummary({ lead }: { readonly lead: Handled }) {
  return lead.handled ? <Summary lead={lead} handled={lead.handled} /> : null;
}

interface SummaryProps {
  readonly lead: Handled;
  readonly handled: NonNullable<Lead['handled']>;
}

function Summary({ lead, handled }: SummaryProps) {
  const { run } = useSteps();
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
          <NoteDialog
            title="Note"
            action="Save note"
            note={note}
            onCancel={() => setAsking(false)}
            onSubmit={(changed) => {
              setAsking(false);
              run(handledStep([lead], { handled: true, note: changed }));
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
