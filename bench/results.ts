import type { Share } from './cpu/summarise-profile.ts';
import type { BackgroundUnits } from './measure/background-units.ts';
import type { CallCount } from './measure/calls.ts';
import type { Compressed } from './measure/compression.ts';
import type { Cost } from './measure/cost.ts';
import type { CpuTimes } from './measure/cpu.ts';
import type { Grown } from './measure/growth.ts';
import type { ImportTimes } from './measure/import-time.ts';
import type { LocalStackCost } from './measure/local-stack.ts';
import type { PageReads } from './measure/owner-reads.ts';
import type { RejectionUnits } from './measure/rejection-units.ts';
import type { ScoringTime } from './measure/scoring.ts';
import type { ShelfCalls } from './measure/shelf-calls.ts';
import type { StartTimes } from './measure/start-time.ts';
import type { Throughput } from './measure/throughput.ts';
import type { UnitCount } from './measure/write-units.ts';

/** All that one run has measured. */
export interface Results {
  readonly measuredAt: string;
  readonly machine: string;
  readonly quick: boolean;
  readonly calls: readonly CallCount[];
  readonly shelfCalls: readonly ShelfCalls[];
  readonly units: readonly UnitCount[];
  readonly shelfUnits: readonly UnitCount[];
  /** Of 128 KB that do not compress. */
  readonly noiseUnits: number;
  readonly compression: readonly Compressed[];
  readonly rejectionUnits: RejectionUnits;
  readonly background: BackgroundUnits;
  readonly logLineBytes: number;
  readonly cpu: CpuTimes;
  readonly profile: readonly Share[];
  readonly costs: readonly Cost[];
  readonly throughput: readonly Throughput[];
  readonly imports: ImportTimes;
  readonly scoring: readonly ScoringTime[];
  readonly growth: readonly Grown[];
  readonly ownerReads: readonly PageReads[];
  readonly starts: StartTimes;
  /** Undefined where the machine does not tell. */
  readonly localStack: LocalStackCost | undefined;
  readonly suiteSeconds: number | undefined;
}
