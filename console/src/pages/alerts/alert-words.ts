import type { AlertKind, AlertOutcome } from '#alerts/alert.ts';
import type { Alert } from '../../api/types.ts';
import { leadsPath } from '../../shared/forms.ts';

export const ALERTS_PATH = '/settings/alerts';

export const ALERT_NAMES: Readonly<Record<AlertKind, string>> = {
  sender_broken: 'Sender broken',
  silence: 'Silence',
  daily_limit: 'Daily limit',
  destination_failing: 'Destination failing',
  rotation_ending: 'Rotation',
  clock_drift: 'Clock drift',
};

/** An error while leads are being lost or held back, and a warning before. */
export function severityOf({ kind, facts }: Pick<Alert, 'kind' | 'facts'>): 'error' | 'warning' {
  if (kind === 'daily_limit') return facts.percent === 100 ? 'error' : 'warning';
  return kind === 'sender_broken' || kind === 'destination_failing' ? 'error' : 'warning';
}

interface EndWords {
  readonly type: 'success' | 'stopped' | 'info';
  readonly text: string;
}

const OUTCOMES: Readonly<Record<AlertOutcome, EndWords>> = {
  recovered: { type: 'success', text: 'Resolved' },
  ended: { type: 'stopped', text: 'No longer checked' },
  superseded: { type: 'info', text: 'Replaced by another alert' },
};

/** How an alert ended; undefined while it is open. */
export function endOf({ outcome }: Pick<Alert, 'outcome'>): EndWords | undefined {
  return outcome && OUTCOMES[outcome];
}

/** `Seen by ada@example.com`. Undefined if nobody has said so. */
export function seenText(
  { seen }: Pick<Alert, 'seen'>,
  members: readonly { readonly memberId: string; readonly email: string }[],
): string | undefined {
  if (!seen) return undefined;
  if (seen.by === 'you') return 'Seen by you';
  if (seen.by === 'key') return 'Seen by an API key';
  return `Seen by ${members.find(({ memberId }) => memberId === seen.byId)?.email ?? 'a former member'}`;
}

interface AlertLink {
  readonly text: string;
  readonly href: string;
}

type Subject = Pick<Alert, 'kind' | 'formId' | 'surface' | 'destinationId'>;

/** Where the cause can be found and fixed. */
export function alertLink({ kind, formId, surface, destinationId }: Subject): AlertLink {
  const atForm = formId === undefined ? undefined : `/forms/${encodeURIComponent(formId)}`;
  switch (kind) {
    case 'sender_broken': {
      // A sender is watched for a week after its last lead.
      const filter = new URLSearchParams({ range: '7d' });
      if (formId !== undefined) filter.set('form', formId);
      if (surface !== undefined) filter.set('surface', surface);
      return { text: 'View rejections', href: `/diagnostics?${filter}` };
    }
    case 'silence':
    case 'daily_limit':
      return { text: 'View leads', href: formId === undefined ? '/leads' : leadsPath({ formId }) };
    case 'destination_failing':
      return {
        text: 'View destination',
        href:
          destinationId === undefined
            ? '/destinations'
            : `/destinations/${encodeURIComponent(destinationId)}`,
      };
    case 'rotation_ending':
    case 'clock_drift':
      return {
        text: 'View delivery settings',
        href: atForm === undefined ? '/forms' : `${atForm}/delivery`,
      };
  }
}
