import { describe, expect, test } from '@jest/globals';
import { makeWorkspaceUsage } from '#settings/usage-store.ts';
import { patience } from '../settings/store-bench.ts';
import { openWorkbench, submissionId } from '../submission/workbench.ts';

const bench = openWorkbench(Date.parse('2026-11-15T12:34:56.789Z'));
const usage = makeWorkspaceUsage({
  client: bench.client,
  tables: bench.stack.tables,
  now: () => bench.clock.now,
});

describe('the use of a workspace', () => {
  test('is what the gate counted on each surface, this minute and today', async () => {
    const sender = await bench.newSender('Analytical Engines');
    const environment = bench.newEnvironment();
    const sent = [
      await environment.server(sender),
      await environment.server(sender),
      await environment.webhook(sender),
    ];
    for (const answer of sent) submissionId(answer as { statusCode: number; body: string });
    bench.clock.now += 60_000;
    await environment.server(sender);
    bench.calls.reset();
    const minute = { limit: 1_000, endsAt: '2026-11-15T12:36:00.000Z' };
    const day = { limit: 50_000, endsAt: '2026-11-16T00:00:00.000Z' };
    expect(await usage.read(sender.workspaceId, patience())).toEqual({
      workspaceId: sender.workspaceId,
      name: 'Analytical Engines',
      status: 'active',
      surfaces: [
        { surface: '1a', minute: { ...minute, used: 1 }, day: { ...day, used: 3 } },
        { surface: '1b', minute: { ...minute, used: 0 }, day: { ...day, used: 1 } },
      ],
    });
    expect(bench.calls.commands()).toEqual(['GetItem']);
  });

  test('shows that it is suspended', async () => {
    const { workspaceId } = await bench.newSender();
    await bench.administration.suspendWorkspace(workspaceId);
    expect(await usage.read(workspaceId, patience())).toMatchObject({ status: 'suspended' });
  });

  test('is not there for a workspace that is not', async () => {
    expect(await usage.read('ws_unknown', patience())).toBeUndefined();
  });
});
