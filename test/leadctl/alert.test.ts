import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Alert } from '../../lambdas/alerts/alert.ts';
import { makeStoredAlerts } from '../lambdas/alerts/stored-alerts.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
afterAll(stack.close);

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.now();

interface Listed {
  readonly alerts: { alertId: string; status: string }[];
  readonly truncated: boolean;
}

let ofWorkspace: string[];
const made: Alert[] = [];

beforeAll(async () => {
  const { workspaceId } = await stack.newForm();
  ofWorkspace = ['--workspace', workspaceId];
  const alerts = makeStoredAlerts(stack);
  for (const hours of [3, 2, 1]) {
    const facts = { formId: `form_${hours}`, formName: 'Contact us', expectedLeads: 12 };
    made.push(await alerts.open(workspaceId, { at: NOW - hours * HOUR_MS, facts }));
  }
  await alerts.close(made[1] as Alert, NOW);
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
    title: made[1]?.opened.title,
    text: made[1]?.opened.lines.join('\n'),
    closedTitle: expect.any(String),
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
  const { alertId, since, openedAt } = made[2] as Alert;
  expect(open).toMatch(new RegExp(`^${alertId} +silence +open +${since} +${openedAt} +- +\\S.*Contact us`));
  expect(closed).toMatch(/ closed \(recovered\) +\S+Z +\S+Z +\S+Z +\S.*Contact us/);
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
