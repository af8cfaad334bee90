import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Alert, AlertOutcome } from '../../lambdas/alerts/alert.ts';
import { makeAlertBook } from '../../lambdas/alerts/alerts-store.ts';
import { makeLeadId } from '../../lambdas/submission/lead-item.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
afterAll(stack.close);

const book = makeAlertBook(stack);
const { signal } = new AbortController();
const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.now();

interface Listed {
  readonly alerts: { alertId: string; status: string }[];
  readonly truncated: boolean;
}

let ofWorkspace: string[];
let made: Alert[];

/** One alert per form, the newest last. */
function alertAbout(workspaceId: string, formId: string, hoursAgo: number): Alert {
  const openedAt = NOW - hoursAgo * HOUR_MS;
  return {
    alertId: makeLeadId(openedAt, randomBytes(10)),
    workspaceId,
    kind: 'silence',
    subject: formId,
    since: new Date(openedAt - HOUR_MS).toISOString(),
    openedAt: new Date(openedAt).toISOString(),
    facts: { formId, formName: 'Contact us', expectedLeads: 12 },
    opened: { title: 'No leads from Contact us', lines: ['Usually there would be 12.', 'Check the form.'] },
  };
}

async function close(alert: Alert, outcome: AlertOutcome) {
  const { facts, since, openedAt } = alert;
  const closed = { title: 'Leads again from Contact us', lines: [] };
  const change = { ...alert, closedAt: new Date(NOW).toISOString(), outcome, closed };
  await book.close(change, { ...alert, facts, since, openedAt, pending: ['alert.opened'] }, signal);
}

beforeAll(async () => {
  const { workspaceId } = await stack.newForm();
  ofWorkspace = ['--workspace', workspaceId];
  made = [3, 2, 1].map((hoursAgo) => alertAbout(workspaceId, `form_${hoursAgo}`, hoursAgo));
  for (const alert of made) await book.open(alert, undefined, signal);
  await close(made[1] as Alert, 'recovered');
});

const list = (...options: string[]) => resultOf<Listed>(['alert', 'list', ...ofWorkspace, ...options]);
const ids = ({ alerts }: Listed) => alerts.map(({ alertId }) => alertId);

test('lists open and closed alerts, newest first', async () => {
  const listed = await list();
  expect(ids(listed)).toEqual(made.map(({ alertId }) => alertId).reverse());
  expect(listed.truncated).toBe(false);
  expect(listed.alerts.map(({ status }) => status)).toEqual(['open', 'closed', 'open']);
  expect(listed.alerts[1]).toMatchObject({
    kind: 'silence',
    formId: 'form_2',
    outcome: 'recovered',
    title: 'No leads from Contact us',
    text: 'Usually there would be 12.\nCheck the form.',
    closedTitle: 'Leads again from Contact us',
    facts: { expectedLeads: 12 },
  });
});

test('lists what is open now', async () => {
  expect(ids(await list('--open'))).toEqual([made[2]?.alertId, made[0]?.alertId]);
});

test('says if there are more', async () => {
  expect(await list('--limit', '2')).toMatchObject({ alerts: [{}, {}], truncated: true });
  expect(await list('--limit', '3')).toMatchObject({ alerts: [{}, {}, {}], truncated: false });
  expect(await list('--open', '--limit', '1')).toMatchObject({ alerts: [{}], truncated: true });
});

test('prints a table', async () => {
  const { stdout } = await onTestStack(['alert', 'list', ...ofWorkspace, '--limit', '2']);
  const [header, open, closed, more] = stdout.split('\n');
  expect(header).toMatch(/^ALERT +KIND +STATUS +SINCE +OPENED +CLOSED +TITLE$/);
  expect(open).toMatch(
    new RegExp(`^${made[2]?.alertId} +silence +open +\\S+Z +${made[2]?.openedAt} +- +No leads from`),
  );
  expect(closed).toMatch(/ closed \(recovered\) +\S+Z +\S+Z +\S+Z +No leads from Contact us$/);
  expect(more).toBe('There are more. Raise --limit.');
});

test('prints that there are none, and requires a workspace that exists', async () => {
  const { workspaceId } = await stack.newForm();
  const run = (...args: string[]) => onTestStack(['alert', 'list', '--workspace', ...args]);
  expect((await run(workspaceId)).stdout).toBe('No alerts.\n');
  expect((await run(workspaceId, '--open')).stdout).toBe('No open alerts.\n');
  const unknown = await run(`${workspaceId.slice(0, -4)}0000`);
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not found') });
});
