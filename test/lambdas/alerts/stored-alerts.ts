import { randomBytes } from 'node:crypto';
import type { Alert, AlertFacts, AlertKind, AlertOutcome } from '#alerts/alert.ts';
import { makeAlertStore } from '#alerts/alerts-store.ts';
import { describeClosed, describeOpened } from '#alerts/describe-alert.ts';
import type { StoreContext } from '#aws/dynamodb.ts';
import { makeLeadId } from '#model/lead-item.ts';

interface Incident {
  readonly at: number;
  readonly kind?: AlertKind;
  readonly subject?: string;
  readonly facts?: AlertFacts;
}

/** Alerts as the watch writes them. */
export function makeStoredAlerts(context: StoreContext<'alerts'>) {
  const store = makeAlertStore(context);
  const patience = () => AbortSignal.timeout(10_000);

  async function open(workspaceId: string, incident: Incident): Promise<Alert> {
    const { at, kind = 'silence', facts = {} } = incident;
    const alertId = makeLeadId(at, randomBytes(10));
    const { subject = alertId } = incident;
    const [since, openedAt] = [at - 3_600_000, new Date(at).toISOString()];
    const opened = describeOpened({ kind, subject, since, facts });
    const times = { since: new Date(since).toISOString(), openedAt };
    const alert = { alertId, workspaceId, kind, subject, ...times, facts, opened };
    if (!(await store.open(alert, undefined, patience()))) throw new Error('it is open already');
    return alert;
  }

  async function close(alert: Alert, at: number, outcome: AlertOutcome = 'recovered'): Promise<void> {
    const closed = describeClosed({ state: alert, outcome, cause: 'other' }, at);
    const closedAlert = { ...alert, closedAt: new Date(at).toISOString(), outcome, closed };
    if (!(await store.close(closedAlert, alert, patience()))) throw new Error('it is not open');
  }

  return { open, close };
}
