export interface Demand {
  readonly workspaces: number;
  readonly leadsADayEach: number;
  /** How much of a day's leads comes in its busiest hour; 1/24 is an even day. */
  readonly shareOfBusiestHour: number;
}

const ORDINARY = { leadsADayEach: 100, shareOfBusiestHour: 0.15 };
const FULL = { leadsADayEach: 50_000, shareOfBusiestHour: 1 / 24 };

/** An ordinary day, with a busy hour; and every workspace at its limit of a day, spread evenly. */
export const DEMANDS: readonly Demand[] = [ORDINARY, FULL].flatMap((each) =>
  [10, 1_000, 100_000].map((workspaces) => ({ workspaces, ...each })),
);

export function leadsPerSecond({ workspaces, leadsADayEach, shareOfBusiestHour }: Demand): number {
  return (workspaces * leadsADayEach * shareOfBusiestHour) / 3_600;
}
