import Alert from '@cloudscape-design/components/alert';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense, useEffect } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { useRead } from '../../api/queries.ts';
import type { FoundRequest } from '../../api/types.ts';
import { Loading, QueryResult } from '../../shared/states.tsx';
import type { KnownForms } from './known-forms.ts';

const loadDetail = () => import('./event-detail.tsx');
const EventDetail = lazy(loadDetail);

interface EventDialogProps {
  readonly requestId: string;
  readonly forms: KnownForms;
  readonly onClose: () => void;
}

/** Details of the rejection whose request ID is in the URL. */
export function EventDialog({ requestId, forms, onClose }: EventDialogProps) {
  const read = useRead<FoundRequest>(`/settings/diagnostics/requests/${encodeURIComponent(requestId)}`);
  useEffect(() => {
    // Preload while the request loads. A failure is shown when rendering.
    loadDetail().catch(() => undefined);
  }, []);
  const problem = read.error instanceof ApiProblem ? read.error : undefined;
  return (
    <Modal visible size="large" header="Rejected request" onDismiss={onClose} closeAriaLabel="Close">
      {problem?.status === 404 ? (
        <Alert type="info" header="Request not found">
          {problem.detail}
        </Alert>
      ) : (
        <Suspense fallback={<Loading what="the request" />}>
          <QueryResult of={read} what="the request">
            {({ otherMatches, ...event }) => (
              <SpaceBetween size="xxl">
                <EventDetail event={event} forms={forms} />
                {otherMatches.length > 0 && (
                  <Alert type="info" header="Other requests have the same ID">
                    Senders can choose the request ID. Other requests with this ID: {otherMatches.length}.
                  </Alert>
                )}
                {otherMatches.map((other) => (
                  <EventDetail key={`${other.at} ${other.extendedRequestId}`} event={other} forms={forms} />
                ))}
              </SpaceBetween>
            )}
          </QueryResult>
        </Suspense>
      )}
    </Modal>
  );
}
