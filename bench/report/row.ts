/** A figure, its goal, and whether it is met; undefined where this run did not measure it. */
export interface Row {
  readonly id: RowId;
  readonly figure: string;
  readonly measured: string;
  /** Of the composition from the shelf, where it has such a figure. */
  readonly shelf?: string;
  readonly goal: string;
  readonly met: boolean | undefined;
}

export type RowId =
  | 'calls'
  | 'rejection calls'
  | 'write units'
  | 'dollars'
  | 'cpu to floor'
  | 'cpu to shelf'
  | 'throughput'
  | 'bundle'
  | 'import'
  | 'scoring'
  | 'growth'
  | 'owner reads'
  | 'start'
  | 'local cpu'
  | 'local throughput'
  | 'local memory'
  | 'suite';

export function round(value: number, digits = 2): string {
  return value.toFixed(digits);
}
