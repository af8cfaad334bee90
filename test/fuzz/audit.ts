import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fromLeadItem } from '../../lambdas/model/lead-item.ts';
import { warningText } from '../../local/function-log.ts';
import type { openContract } from '../contract/tenant.ts';
import { type Item, itemsOf } from '../load/stored.ts';
import { digestOf, type Judge } from './judge.ts';
import type { World } from './world.ts';

/** What the tables contain after the run. */
export interface Audit {
  readonly stored: number;
  /** Acknowledged to a sender but not stored, or stored with a different body. */
  readonly missing: readonly string[];
  readonly altered: readonly string[];
  /** Stored leads that senders that hung up can't account for. */
  readonly unaccounted: number;
  /** Rejections of Surface 1c of which there is no record. */
  readonly unrecorded: number;
  /** Rejections caused by internal errors. */
  readonly defects: number;
}

type Contract = Pick<ReturnType<typeof openContract>, 'client' | 'tables'>;

export async function audit({ client, tables }: Contract, world: World, judge: Judge): Promise<Audit> {
  const ours = new Set([...world.tenants, ...world.sources].map(({ workspaceId }) => workspaceId));
  const seen = new Set<string>();
  const altered: string[] = [];
  let stored = 0;
  for (const item of await itemsOf(client, tables.leads)) {
    if (item.part !== 'lead' || !ours.has(item.workspaceId as string)) continue;
    stored += 1;
    const { leadId, body } = fromLeadItem(item);
    const digest = judge.leads.get(leadId);
    if (judge.leads.has(leadId)) seen.add(leadId);
    if (digest !== undefined && digest !== digestOf(body)) altered.push(leadId);
  }
  const rejections = await Promise.all(
    [tables.rejections, tables.unauthenticatedRejections].map((table) => itemsOf(client, table)),
  );
  const recorded = new Set(
    rejections
      .flat()
      .flatMap(({ requestId, surface, reason }) =>
        surface === '1c' && typeof reason === 'string' ? [requestId as string] : [],
      ),
  );
  const isDefect = ({ sk, reason }: Item) =>
    String(sk).includes('internal_error') || reason === 'internal_error';
  const diagnosed = [...rejections.flat(), ...(await itemsOf(client, tables.diagnostics))];
  return {
    stored,
    altered,
    missing: [...judge.leads.keys()].filter((leadId) => !seen.has(leadId)),
    unaccounted: Math.max(0, stored - seen.size - judge.unheard()),
    unrecorded: [...judge.sourceRejections].filter((requestId) => !recorded.has(requestId)).length,
    defects: diagnosed.filter(isDefect).length,
  };
}

const LOOK_EVERY_MILLISECONDS = 500;
const MAX_LINES = 200;

/** A log line at error level. */
export interface ErrorLine {
  readonly file: string;
  readonly line: string;
}

/** Follows the functions' logs and reports error lines. */
export function watchLogs(folder: string, onError: (error: ErrorLine) => void) {
  const positions = new Map<string, { at: number; rest: string }>();
  let found = 0;
  let lines = 0;
  let dropped = 0;

  async function look(): Promise<void> {
    // A stack that has stopped deletes its logs. The run reports that it stopped.
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (name.endsWith('.log')) await readOn(name);
  }

  async function readOn(name: string): Promise<void> {
    const position = positions.get(name) ?? { at: 0, rest: '' };
    positions.set(name, position);
    const file = await open(join(folder, name)).catch(() => undefined);
    if (file === undefined) return;
    try {
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(1 << 20), 0, 1 << 20, position.at);
        if (bytesRead === 0) return;
        position.at += bytesRead;
        const parts = `${position.rest}${buffer.toString('latin1', 0, bytesRead)}`.split('\n');
        position.rest = parts.pop() ?? '';
        for (const line of parts) judge(name, line);
      }
    } finally {
      await file.close();
    }
  }

  function judge(file: string, line: string): void {
    lines += 1;
    if (/"DiagnosticsDropped":[1-9]/.test(line)) dropped += 1;
    if (!isError(line)) return;
    found += 1;
    if (found <= MAX_LINES) onError({ file, line });
  }

  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_EVERY_MILLISECONDS);
  return {
    errors: () => found,
    lines: () => lines,
    /** Rejections that say that they were not recorded in time. */
    dropped: () => dropped,
    async close(): Promise<void> {
      clearInterval(timer);
      await looking;
      await look();
    },
  };
}

/** At error level, or a submission rejected because of an internal error. */
export function isError(line: string): boolean {
  if (line.includes('"reason":"internal_error"')) return true;
  const alarming = warningText(line);
  return alarming !== undefined && !alarming.startsWith('WARN');
}
