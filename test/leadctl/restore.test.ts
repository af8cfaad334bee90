import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { countedItems } from '../../bin/leadctl/backup.ts';
import { openStack } from '../../bin/operator/open-stack.ts';
import { learnedKey } from '../../lambdas/model/learned.ts';
import { BACKED_UP, makeRestorer } from '../../lambdas/operator/restore-store.ts';
import { toItemLine } from '../../lambdas/operator/table-items-store.ts';
import { runLeadctl, testOutputsFile } from './run-leadctl.ts';

const scratch = mkdtempSync(join(tmpdir(), 'restore-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('a backup of a version without destinations can be restored', async () => {
  const folder = join(scratch, 'earlier');
  mkdirSync(folder);
  const tableKeys = ['idempotency', 'stats', 'formSecrets', 'forms', 'tokens', 'workspaces', 'leads'];
  for (const tableKey of tableKeys) writeFileSync(join(folder, `${tableKey}.ndjson`), '');
  const items = Object.fromEntries(tableKeys.map((tableKey) => [tableKey, 0]));
  const manifest = { format: 'lead-ingest backup 1', takenAt: '2026-01-01T00:00:00.000Z', items };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const run = await runLeadctl(['--outputs', testOutputsFile(), 'restore', '--from', folder, '--yes']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
});

test('notes of erasures are left out, and not counted as expired', async () => {
  const folder = join(scratch, 'with a note');
  mkdirSync(folder);
  const note = { leadId: randomUUID(), part: 'erased', v: 1 };
  writeFileSync(join(folder, 'leads.ndjson'), toItemLine(note));
  const manifest = {
    format: 'lead-ingest backup 1',
    takenAt: '2026-01-01T00:00:00.000Z',
    items: { leads: 1 },
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const run = await runLeadctl(['--outputs', testOutputsFile(), 'restore', '--from', folder, '--yes']);
  expect(run.stdout).toBe('leads: 0 restored, 0 already present, 1 note of erasures left out\n');
});

test('a backup counts its items in words', () => {
  expect(BACKED_UP.map((tableKey) => countedItems(2, tableKey))).toEqual([
    '2 idempotency records',
    '2 statistics records',
    '2 alert records',
    '2 webhook secrets',
    '2 secrets of destinations',
    '2 email recipient records',
    '2 destinations',
    '2 forms',
    '2 server tokens',
    '2 members',
    '2 API keys',
    '2 activity records',
    '2 workspaces',
    '2 lead records',
  ]);
});

test('what was learned from reviews is left out, also of a table that AWS restored', async () => {
  const { client, tables } = openStack(testOutputsFile());
  const tally = { restored: 0, present: 0, expired: 0 };
  const items = [{ ...learnedKey('ws_restored'), learned: {}, revision: 1, v: 1 }];
  const restorer = makeRestorer({ client, tables, now: Date.now });
  await restorer.put('workspaces', items, Date.now(), tally, AbortSignal.timeout(10_000));
  client.destroy();
  expect(tally).toEqual({ restored: 0, present: 0, expired: 0 });
});

describe('refuses', () => {
  const onTestStack = (...args: string[]) => runLeadctl(['--outputs', testOutputsFile(), ...args]);

  test('to back up into a folder that is not empty', async () => {
    const run = await onTestStack('backup', '--to', tmpdir());
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('is not empty. Choose a new folder with --to.');
  });

  test('to restore a backup that was cut short', async () => {
    const run = await onTestStack('restore', '--from', scratch, '--yes');
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('is not a complete backup');
  });

  test.each([
    [[]],
    [['--table', 'leads']],
    [['--from-table', 'x']],
    [['--from', 'x', '--table', 'leads', '--from-table', 'y']],
    [['--table', 'diagnostics', '--from-table', 'x']],
  ])('to restore by %j', async (options) => {
    expect(await onTestStack('restore', ...options, '--yes')).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('to restore a table from itself, or from one that does not exist', async () => {
    const { tables, client, queueClient } = openStack(testOutputsFile());
    client.destroy();
    queueClient.destroy();
    const itself = await onTestStack('restore', '--table', 'leads', '--from-table', tables.leads, '--yes');
    expect(itself.stderr).toContain('is the table of the stack itself');
    const nowhere = await onTestStack('restore', '--table', 'leads', '--from-table', 'nobodys', '--yes');
    expect(nowhere).toMatchObject({ exitCode: 1, stdout: '' });
    expect(nowhere.stderr).toContain('Table nobodys not found');
  });
});
