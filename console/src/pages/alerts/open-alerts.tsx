import Box from '@cloudscape-design/components/box';
import List from '@cloudscape-design/components/list';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { Fragment } from 'react';
import { splitMoments } from '#alerts/alert.ts';
import { errorMessage } from '../../api/problem.ts';
import { useChange, useRead } from '../../api/queries.ts';
import type { Alert, AlertPage } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { Link } from '../../shell/link.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { useMembers } from '../team/use-members.ts';
import { ALERTS_PATH, alertLink, seenText, severityOf } from './alert-words.ts';

/** They change by themselves, at most every five minutes. */
export const REFRESH = { refetchInterval: 60_000 };

export const useOpenAlerts = () => useRead<AlertPage>(ALERTS_PATH, { status: 'open' }, REFRESH);

/** What is wrong now, since when, and where to fix it. */
export function OpenAlerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  if (alerts.length === 0) return <StatusIndicator type="success">No open alerts</StatusIndicator>;
  return (
    <List
      ariaLabel="Open alerts"
      items={alerts}
      disablePaddings
      renderItem={(alert) => ({
        id: alert.alertId,
        content: <OpenTitle alert={alert} />,
        secondaryContent: (
          <SpaceBetween size="xxs">
            <Box color="inherit">
              Since <Moment at={alert.since} />
            </Box>
            <TextLines text={alert.text} />
            <AlertFix alert={alert} />
            <Seen alert={alert} />
          </SpaceBetween>
        ),
      })}
    />
  );
}

const SEVERITY_NAMES = { error: 'Error', warning: 'Warning' } as const;

function OpenTitle({ alert }: { readonly alert: Alert }) {
  const severity = severityOf(alert);
  return (
    <StatusIndicator type={severity} iconAriaLabel={SEVERITY_NAMES[severity]} wrapText>
      {alert.title}
    </StatusIndicator>
  );
}

/** Who has seen it, or a button to say so. */
export function Seen({ alert }: { readonly alert: Alert }) {
  const { alertId, title, seen, status } = alert;
  const members = useMembers({ enabled: seen?.by === 'member' }).data?.members;
  const notify = useNotify();
  const acknowledge = useChange<'acknowledgeAlert', void>(() => ({
    method: 'POST',
    path: `${ALERTS_PATH}/${encodeURIComponent(alertId)}/seen`,
  }));
  if (seen) {
    const text = seen.by === 'member' && members === undefined ? 'Seen' : seenText(alert, members ?? []);
    return (
      <Box color="inherit">
        <span className="value">{text}</span>, <Moment at={seen.at} />
      </Box>
    );
  }
  if (status === 'closed') return null;
  return (
    <OwnerButton
      variant="inline-link"
      ariaLabel={`Mark as seen: ${title}`}
      loading={acknowledge.isPending}
      onClick={() =>
        acknowledge.mutate(undefined, {
          onError: (error) => notify('error', `Couldn’t mark the alert as seen. ${errorMessage(error)}`),
        })
      }
    >
      Mark as seen
    </OwnerButton>
  );
}

export function AlertFix({ alert }: { readonly alert: Alert }) {
  const { text, href } = alertLink(alert);
  return (
    <Link href={href} ariaLabel={`${text}: ${alert.title}`}>
      {text}
    </Link>
  );
}

/** The lines contain names that people chose, so they may break anywhere. Times are shown as everywhere else. */
export function TextLines({ text }: { readonly text: string }) {
  let length = 0;
  const parts = splitMoments(text).map((part) => {
    length += 1;
    return 'at' in part ? (
      <Moment key={length} at={part.at} />
    ) : (
      <Fragment key={length}>{part.text}</Fragment>
    );
  });
  return <span className="value value-lines">{parts}</span>;
}
