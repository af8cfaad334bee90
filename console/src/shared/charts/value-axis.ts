const COUNT = new Intl.NumberFormat();

/** There is no half a lead: between whole numbers an axis says nothing. */
export function countLabel(value: number): string {
  return Number.isInteger(value) ? COUNT.format(value) : '';
}

/** Where an axis ends: never so low that all of its ticks would be fractions. */
export function countsUpTo(highest: number): number {
  return Math.max(4, Math.ceil(highest * 1.05));
}
