import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { ApiProblem, errorMessage } from '../../api/problem.ts';
import { useClient } from '../../api/queries.ts';
import type { RejectionEvent } from '../../api/types.ts';
import { Loading } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';

interface RejectedProps {
  readonly formId: string;
  readonly requestId: string | undefined;
}

export function Rejected({ formId, requestId }: RejectedProps) {
  const event = useRejection(requestId);
  const follow = useFollow();
  const form = `/forms/${encodeURIComponent(formId)}`;
  return (
    <Alert
      type="error"
      header={event.data ? `Rejected: ${REASON_GUIDE[event.data.reason].title}` : 'Rejected'}
      action={
        <SpaceBetween direction="horizontal" size="xs">
          <Button href={form} onFollow={follow}>
            View form{' '}
          </Button>
          {requestId !== undefined && (
            <Button href={`/tokens/diagnostics?request=${encodeURIComponent(requestId)}`} onFollow={follow}>
              View in Diagnostics
            </Button>
          )}
        </SpaceBetween>
      }
    >
      {event.isLoading ? <Loading what="the reason" /> : <Reason event={event.data} error={event.error} />}
    </Alert>
  );
}

function Reason({ event, error }: { readonly event: RejectionEvent | undefined; readonly error: unknown }) {
  if (event) {
    const { meaning, remedy } = REASON_GUIDE[event.reason];
    return (
      <>
        <div>{meaning}</div>
        <div>{remedy}</div>
      </>
    );
  }
  const isNotKept = error === null || (error instanceof ApiProblem && error.status === 404);
  return isNotKept ? (
    <>No details were recorded for this request. The service may have been overloaded. Send the test again.</>
  ) : (
    <>Couldn’t load the reason. {errorMessage(error)}</>
  );
}

/** The diagnostics index is eventually consistent. */
const MOST_TRIES = 6;
const PAUSE_MS = 800;

function useRejection(requestId: string | undefined) {
  const client = useClient();
  const path = `/settings/diagnostics/requests/${encodeURIComponent(requestId ?? '')}`;
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => client.get<RejectionEvent>(path, {}, signal),
    enabled: requestId !== undefined,
    retry: (failures, error) =>
      failures < MOST_TRIES && error instanceof ApiProblem && (error.status === 404 || error.status === 0),
    retryDelay: PAUSE_MS,
  });
}
