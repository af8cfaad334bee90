import type { IngestWorkbench, Sender } from '../../local/workbench/ingest-workbench.ts';
import { leadHistory, rejectionHistory, rejectionRecords, statsHistory } from '../engines/history.ts';
import { openOwnerFunctions } from '../engines/owner-functions.ts';
import { preload } from '../engines/preload.ts';
import type { Engines } from '../engines/start-engines.ts';

/** Calls to DynamoDB for one page, each of which reads 1 MB at most. */
export interface PageReads {
  readonly page: string;
  readonly few: number;
  readonly many: number;
  /** The most that the code ever makes, whatever there is. */
  readonly most: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const FEW = 100;

type Page = readonly [page: string, most: number, path: string, query: Record<string, string>];

/** What the owner's pages read, in a workspace with few leads and rejections and in one that has many leads already. */
export async function measureOwnerReads(
  engines: Engines,
  bench: IngestWorkbench,
  busy: Sender,
  many: number,
): Promise<PageReads[]> {
  const { tables } = bench.stack;
  const { now } = bench.clock;
  const owners = openOwnerFunctions(bench);

  async function leaveTraces(sender: Sender, count: number): Promise<void> {
    await preload(engines.dynamoDb, tables.stats, statsHistory(sender, count, now));
    await preload(engines.dynamoDb, tables.diagnostics, rejectionHistory(sender, count, now));
    await preload(engines.dynamoDb, tables.rejections, rejectionRecords(sender, FEW, now));
  }

  const quiet = await bench.newSender();
  await preload(engines.dynamoDb, tables.leads, leadHistory(quiet, FEW, now));
  await leaveTraces(quiet, FEW);
  await leaveTraces(busy, many);

  async function reads({ workspaceId, formId }: Sender, path: string, query: Record<string, string>) {
    const asked = path.replace('{form}', formId).replace('{request}', `request-${workspaceId}-5`);
    owners.calls.reset();
    const status = await owners.get(workspaceId, asked, query);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return owners.calls.commands().length;
  }

  const measured: PageReads[] = [];
  for (const [page, most, path, query] of pagesAt(now)) {
    measured.push({ page, most, few: await reads(quiet, path, query), many: await reads(busy, path, query) });
  }
  return measured;
}

/** Counters are read in at most 15 pages of 1 MB for each kind; rate limits and other rejections are two kinds. */
function pagesAt(now: number): readonly Page[] {
  const since = (days: number) => new Date(now - days * DAY_MS).toISOString();
  return [
    ['workspace', 1, '/workspace', {}],
    ['statistics, 7 days by hour', 15, '/stats', { by: 'hour', from: since(7) }],
    ['statistics, 30 days by day', 15, '/stats', { by: 'day', from: since(30) }],
    ['diagnostics, a day by minute', 30, '/diagnostics', { by: 'minute', from: since(1) }],
    ['diagnostics, 7 days by hour', 30, '/diagnostics', { by: 'hour', from: since(7) }],
    ['diagnostics, 30 days by hour', 30, '/diagnostics', { by: 'hour', from: since(30) }],
    ['diagnostics, recent events', 4, '/diagnostics/events', {}],
    ['diagnostics, events of one reason', 4, '/diagnostics/events', { reason: 'body_not_object' }],
    ['diagnostics, one request', 3, '/diagnostics/requests/{request}', {}],
    ['forms', 1, '/forms', {}],
    ['deliveries', 3, '/deliveries', {}],
    ['tokens', 2, '/tokens', {}],
    ['leads of a form, a page', 10, '/forms/{form}/leads', {}],
  ];
}
