import { type IngestWorkbench, type Sender, submissionId } from '../../local/workbench/ingest-workbench.ts';
import { leadHistory, otherWorkspaces } from '../engines/history.ts';
import { preload } from '../engines/preload.ts';
import type { Engines } from '../engines/start-engines.ts';
import { BODIES } from '../fixtures/index.ts';
import type { Weigh } from '../units/scale.ts';

export interface Grown {
  readonly leads: number;
  readonly workspaces: number;
  /** In sequence, warm: accepted, with key, replayed. */
  readonly calls: readonly number[];
  /** Of 1 KB, without and with a key. */
  readonly writeUnits: readonly number[];
}

/** The same submissions of the same sender, before and after its form and the service have grown. */
export async function measureGrowth(
  engines: Engines,
  bench: IngestWorkbench,
  weigh: Weigh,
  sender: Sender,
  size: { readonly leads: number; readonly workspaces: number },
): Promise<Grown[]> {
  const { tables } = bench.stack;
  await preload(engines.dynamoDb, tables.leads, leadHistory(sender, 100, bench.clock.now));
  const before = await measure(bench, weigh, sender, { leads: 100, workspaces: 1 });
  await preload(engines.dynamoDb, tables.leads, leadHistory(sender, size.leads, bench.clock.now - 1));
  await preload(engines.dynamoDb, tables.workspaces, otherWorkspaces(size.workspaces));
  return [before, await measure(bench, weigh, sender, size)];
}

async function measure(
  bench: IngestWorkbench,
  weigh: Weigh,
  sender: Sender,
  size: { readonly leads: number; readonly workspaces: number },
): Promise<Grown> {
  const environment = bench.newEnvironment();
  const key = { headers: { 'X-SVC-Idempotency-Key': `at ${size.leads}` } };
  submissionId(await environment.server(sender));
  const calls: number[] = [];
  for (const request of [{}, key, key]) {
    bench.calls.reset();
    submissionId(await environment.server(sender, request));
    calls.push(bench.calls.inSequence());
  }
  const again = { headers: { 'X-SVC-Idempotency-Key': `units at ${size.leads}` } };
  const units = [await weigh(BODIES['1 KB'], {}, sender), await weigh(BODIES['1 KB'], again, sender)];
  return { ...size, calls, writeUnits: units.map(({ writeUnits }) => writeUnits) };
}
