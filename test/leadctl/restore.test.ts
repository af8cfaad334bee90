import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openStack } from '../../bin/operator/open-stack.ts';
import { learnedKey } from '../../lambdas/model/learned.ts';
import { makeRestorer } from '../../lambdas/operator/restore-store.ts';
import { toItemLine } from '../../lambdas/operator/table-items-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { onTestStack, testOutputsFile } from './run-leadctl.ts';

const scratch = temporaryFolder('restore-test');

async function restored(takenBy: string, items: Readonly<Record<string, number>>, lines = '') {
  const folder = join(scratch, takenBy);
  mkdirSync(folder);
  for (const tableKey of Object.keys(items)) writeFileSync(join(folder, `${tableKey}.ndjson`), lines);
  const manifest = { format: 'lead-ingest backup 1', takenAt: '2026-01-01T00:00:00.000Z', items };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return onTestStack(['restore', '--from', folder, '--yes']);
}

test('a backup of a version without destinations can be restored', async () => {
  const tableKeys = ['idempotency', 'stats', 'formSecrets', 'forms', 'tokens', 'workspaces', 'leads'];
  const items = Object.fromEntries(tableKeys.map((tableKey) => [tableKey, 0]));
  expect(await restored('an earlier version', items)).toMatchObject({ exitCode: 0, stderr: '' });
});

test('notes of erasures are left out, and not counted as expired', async () => {
  const note = { leadId: randomUUID(), part: 'erased', v: 1 };
  const { stdout } = await restored('one with a note', { leads: 1 }, toItemLine(note));
  expect(stdout).toBe('leads: 0 restored, 0 already present, 1 note of erasures left out\n');
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
