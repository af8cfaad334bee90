const WIDTH = 30;
/** Redrawing more often is not visible, and slows the work on slow terminals. */
const REDRAW_MS = 100;

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  /** @param total undefined if it is unknown. */
  readonly show: (done: number, total: number | undefined, note: string) => void;
  readonly clear: () => void;
}

/** On stderr, and only on a terminal: in a log it would be noise, and stdout is for the result. */
export function makeProgressBar(screen: Screen, now: () => number = Date.now): ProgressBar {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  return {
    show(done, total, note) {
      const last = done === total;
      if (!screen.isTTY || (!last && now() - drawnAt < REDRAW_MS)) return;
      drawnAt = now();
      drawn = true;
      screen.write(`\r\u001b[K${total === undefined ? '' : `${barOf(done, total)} `}${note}`);
    },
    clear() {
      if (drawn) screen.write('\r\u001b[K');
      drawn = false;
    },
  };
}

export function barOf(done: number, total: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${done}/${total}`;
}
