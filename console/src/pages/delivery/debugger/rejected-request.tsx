import Alert from '@cloudscape-design/components/alert';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import { useEffect, useState } from 'react';
import { useRead } from '#console/api/queries.ts';
import type { FoundRequest, RejectionEvent } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { MISTAKES } from '#debugger/mistakes.ts';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { type BodyMatch, compareBody } from './debug-request.ts';
import { formatBytes } from './mark-difference.ts';

/** The rejection that the debugger was opened from, if it is one of this form. */
export function useRejection(requestId: string | null, formId: string): RejectionEvent | undefined {
  const path = `/settings/diagnostics/requests/${encodeURIComponent(requestId ?? '')}`;
  const { data } = useRead<FoundRequest>(path, {}, { enabled: requestId !== null });
  if (requestId === null || data === undefined) return undefined;
  return [data, ...data.otherMatches].find((event) => event.formId === formId);
}

/** What is known of the rejected request, to find it in the sender's log. */
export function RejectedRequest({ rejection }: { readonly rejection: RejectionEvent }) {
  const { at, reason, detail, bodyBytes, keyNames } = rejection;
  const cause = Object.entries(MISTAKES).find(([name]) => name === detail.likelyMistake)?.[1];
  return (
    <Alert type="info" header={`Rejected: ${REASON_GUIDE[reason].title}`}>
      {cause !== undefined && <div>Likely cause: {cause}</div>}
      <div>
        The timestamp is filled in if it is known. Copy the signature and the body from the sender’s log: find
        the request by its time and size.
      </div>
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'Time', value: <Moment at={at} /> },
          { label: 'Body size', value: formatBytes(bodyBytes) },
          {
            label: 'Body keys',
            value: <span className="value">{keyNames?.join(', ') || 'Unknown'}</span>,
          },
        ]}
      />
    </Alert>
  );
}

/** Whether the body that was checked is the one that was rejected. */
export function useBodyMatch(
  rejection: RejectionEvent | undefined,
  body: Uint8Array | undefined,
): BodyMatch | undefined {
  const [match, setMatch] = useState<BodyMatch>();
  useEffect(() => {
    let isCurrent = true;
    setMatch(undefined);
    if (rejection && body) {
      void compareBody(rejection, body).then((found) => isCurrent && setMatch(found));
    }
    return () => {
      isCurrent = false;
    };
  }, [rejection, body]);
  return match;
}
