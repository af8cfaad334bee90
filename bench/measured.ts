import type { WatchReads } from './alerts/count-reads.ts';
import type { Counts } from './deterministic.ts';
import type { ShelfCalls } from './engines/contender-fixture.ts';
import type { Throughput } from './http/throughput.ts';
import type { Compressed } from './measure/compression.ts';
import type { Cost, StackCost } from './measure/cost.ts';
import type { CpuTimes, Share } from './measure/cpu.ts';
import type { Grown, PageReads } from './measure/growth.ts';
import type { ImportTimes } from './measure/import-time.ts';
import type { LocalStackCosts, StartTimes } from './measure/local-stack.ts';
import type { ScoringTime } from './measure/scoring.ts';
import type { SendingCost } from './measure/sending.ts';
import type { UnitCount } from './measure/write-units.ts';
import type { SearchResults } from './search/count-reads.ts';

/** What the parts measure. */
export interface Measured extends Counts {
  readonly shelfCalls: readonly ShelfCalls[];
  readonly shelfUnits: readonly UnitCount[];
  /** For 128 KB that do not compress. */
  readonly noiseUnits: number;
  readonly compression: readonly Compressed[];
  readonly logLineBytes: number;
  readonly sending: readonly SendingCost[];
  readonly alerts: WatchReads;
  readonly search: readonly SearchResults[];
  readonly cpu: CpuTimes;
  readonly profile: readonly Share[];
  readonly throughput: readonly Throughput[];
  readonly imports: ImportTimes;
  readonly scoring: readonly ScoringTime[];
  readonly growth: readonly Grown[];
  readonly ownerReads: readonly PageReads[];
  readonly starts: StartTimes;
  /** Undefined where the operating system cannot say. */
  readonly localStack?: LocalStackCosts | undefined;
  /** If somebody has measured it. */
  readonly suiteSeconds?: number | undefined;
}

/** When, where and how long a part was measured. */
export interface PartRun {
  readonly at: string;
  /** Short, with `+` if the code had been changed since, or `unknown`. */
  readonly commit: string;
  readonly machine: string;
  readonly quick: boolean;
  /** Whether it was measured with all the others, not by its name. */
  readonly whole: boolean;
  /** What a reader must know about where the figures come from. */
  readonly note?: string;
  readonly seconds: number;
}

/** With what follows from it. */
export interface Results extends Measured {
  readonly parts: Readonly<Record<string, PartRun>>;
  readonly costs: readonly Cost[];
  readonly stackCost: StackCost;
}

/** So long that they run only by name. The page keeps their last figures, with their date. */
export const LONG_PARTS: readonly string[] = ['alerts', 'search'];
