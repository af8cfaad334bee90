import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Closers } from '../../local/lifecycle.ts';
import { startCannedStore, startWorker, type Worker } from '../cpu/processes.ts';
import type { Bundles } from '../engines/bundles.ts';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] as number;
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

function quartiles(values: readonly number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] as number;
  return [at(0.25), at(0.75)];
}

/** The parts of a .cpuprofile that we read. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export type Share = readonly [part: string, share: number];

/** The first match names the part. */
const PARTS: readonly (readonly [part: string, fits: RegExp])[] = [
  ['AWS SDK', /node_modules\/(?:@aws-sdk|@smithy|@aws)\//],
  ['Middy', /node_modules\/@middy\//],
  ['scoring', /\/lambdas\/scoring\/|node_modules\/(?:libphonenumber-js|tldts)/],
  ['our own code', /\/lambdas\//],
  ['JSON', /^native:(?:parse|stringify)$/],
  [
    'crypto',
    /^node:(?:internal\/)?crypto|^native:(?:update|digest|Hash|Hmac|randomBytes|randomFillSync|timingSafeEqual)/,
  ],
  [
    'HTTP and sockets',
    /^node:(?:_?http|https|net|_?stream|internal\/(?:http|net|streams?|stream_base|dns|socket)|internal\/streams|url|internal\/url|internal\/js_stream|timers|internal\/timers)|^native:(?:writev?|writeUtf8String|writeLatin1String|writeBuffer|shutdown|execute|consume|onread)/,
  ],
  ['other Node.js', /^node:/],
  ['garbage collection', /^native:\(garbage collector\)$/],
  ['the bench itself', /\/bench\//],
];

/** Processor time by part. A built-in counts for its caller. */
export function summarizeProfile({ nodes, samples, timeDeltas }: Profile): Share[] {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));

  function partOf(id: number): string | undefined {
    const node = byId.get(id);
    if (node === undefined) return undefined;
    const { functionName, url } = node.callFrame;
    if (functionName === '(idle)') return undefined;
    const name = url === '' ? `native:${functionName}` : url;
    const part = PARTS.find(([, fits]) => fits.test(name))?.[0];
    if (part !== undefined) return part;
    const parent = parents.get(id);
    return url === '' && parent !== undefined && functionName !== '(program)'
      ? partOf(parent)
      : 'native code';
  }

  const times = new Map<string, number>();
  let whole = 0;
  for (const [index, id] of samples.entries()) {
    const part = partOf(id);
    // The loop of the bench is not part of the function.
    if (part === undefined || part === 'the bench itself') continue;
    const time = timeDeltas[index] ?? 0;
    whole += time;
    times.set(part, (times.get(part) ?? 0) + time);
  }
  return [...times].map(([part, time]): Share => [part, time / whole]).sort(([, a], [, b]) => b - a);
}

export const CONTENDERS = {
  ours: 'ingest-server',
  shelf: '../bench/off-the-shelf',
  floor: '../bench/floor',
} as const;
export type Contender = keyof typeof CONTENDERS;

/** Microseconds of processor time per accepted request, and ratios of consecutive rounds. */
export interface CpuTimes {
  readonly plain: Readonly<Record<Contender, number>>;
  readonly keyed: Readonly<Record<'ours' | 'shelf', number>>;
  readonly ratios: {
    readonly toFloor: number;
    /** Half of the rounds lie between these two. Figures from before have none. */
    readonly toFloorQuartiles?: readonly [number, number];
    readonly toShelf: number;
    readonly keyedToShelf: number;
  };
  readonly rounds: number;
  readonly requestsPerRound: number;
}

const WARM_UP = 600;

/** Runs the deployed bundles on a store that responds at once. They take turns, so that a slow machine slows all. */
export async function measureCpu(
  bundles: Bundles,
  { rounds, requests }: { rounds: number; requests: number },
  closers: Closers,
): Promise<CpuTimes> {
  const store = await startCannedStore(closers);
  const workers = {} as Record<Contender, Worker>;
  for (const [name, source] of Object.entries(CONTENDERS)) {
    const file = join(bundles.folderOf(source), 'index.cjs');
    workers[name as Contender] = await startWorker(file, store, closers);
  }
  const turns: readonly (readonly [Contender, boolean])[] = [
    ['ours', false],
    ['floor', false],
    ['shelf', false],
    ['ours', true],
    ['shelf', true],
  ];
  for (const [name, keyed] of turns) await workers[name].run({ count: WARM_UP, keyed });
  const samples = new Map<string, number[]>(turns.map((turn) => [turn.join(), []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const turn of turns) {
      const [name, keyed] = turn;
      samples.get(turn.join())?.push(await workers[name].run({ count: requests, keyed }));
    }
  }
  await Promise.all(Object.values(workers).map((worker) => worker.end()));

  const of = (name: Contender, keyed: boolean) => samples.get([name, keyed].join()) as number[];
  const ratios = (ours: number[], others: number[]) =>
    ours.map((value, round) => value / (others[round] as number));
  const ratio = (ours: number[], others: number[]) => median(ratios(ours, others));
  return {
    plain: {
      ours: median(of('ours', false)),
      shelf: median(of('shelf', false)),
      floor: median(of('floor', false)),
    },
    keyed: { ours: median(of('ours', true)), shelf: median(of('shelf', true)) },
    ratios: {
      toFloor: ratio(of('ours', false), of('floor', false)),
      toFloorQuartiles: quartiles(ratios(of('ours', false), of('floor', false))),
      toShelf: ratio(of('ours', false), of('shelf', false)),
      keyedToShelf: ratio(of('ours', true), of('shelf', true)),
    },
    rounds,
    requestsPerRound: requests,
  };
}

/** Calls of functions in one accepted request, in our code and the packages that it uses. */
export async function countFunctionCalls(bundles: Bundles, closers: Closers): Promise<number> {
  const file = join(bundles.folderOf(CONTENDERS.ours), 'index.cjs');
  const worker = await startWorker(file, await startCannedStore(closers), closers);
  const calls = await worker.run({ count: 10, keyed: false, counting: true });
  await worker.end();
  return Math.round(calls);
}

const SOURCE = fileURLToPath(new URL('../../lambdas/submission/ingest-server/index.ts', import.meta.url));

/** Where the processor time of a request goes. Runs the source, because the bundle has no package names. */
export async function profileCpu({ requests }: { requests: number }, closers: Closers): Promise<Share[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lead-ingest-profile-'));
  closers.defer(() => rmSync(folder, { recursive: true, force: true }));
  const profile = join(folder, 'ours.cpuprofile');
  const worker = await startWorker(SOURCE, await startCannedStore(closers), closers);
  await worker.run({ count: 600, keyed: false });
  await worker.run({ count: requests, keyed: false, profile });
  await worker.end();
  return summarizeProfile(JSON.parse(readFileSync(profile, 'utf8')) as Profile);
}
