import { type SignalName, WEIGHTS } from '#scoring/weights.ts';
import type { Lead } from '../../api/types.ts';

type Signal = Lead['signals'][number];

/** The heaviest first, whichever way they pull; equal ones as scoring found them. */
export function sortedSignals(signals: readonly Signal[]): Signal[] {
  return signals.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/** The most telling ones: what keeps a lead from being clean, then the heaviest. */
export function topSignals(signals: readonly Signal[], most: number): Signal[] {
  return sortedSignals(signals)
    .toSorted((a, b) => Number(preventsClean(b.name)) - Number(preventsClean(a.name)))
    .slice(0, most);
}

/** With a true minus, which screen readers say and columns line up with. */
export function weightText(weight: number): string {
  return weight < 0 ? `−${-weight}` : `+${weight}`;
}

export function preventsClean(name: string): boolean {
  return Object.hasOwn(WEIGHTS, name) && WEIGHTS[name as SignalName][1] === 'never clean';
}
