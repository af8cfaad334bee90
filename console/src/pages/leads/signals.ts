import { type SignalName, WEIGHTS } from '#scoring/weights.ts';
import type { Lead } from '../../api/types.ts';

type Signal = Lead['signals'][number];

/** By absolute weight, largest first. */
export function sortedSignals(signals: readonly Signal[]): Signal[] {
  return signals.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/** The signals that prevent a clean lead first, then the heaviest. */
export function topSignals(signals: readonly Signal[], most: number): Signal[] {
  return sortedSignals(signals)
    .toSorted((a, b) => Number(preventsClean(b.name)) - Number(preventsClean(a.name)))
    .slice(0, most);
}

/** Uses a real minus sign, for screen readers and alignment. */
export function weightText(weight: number): string {
  return weight < 0 ? `−${-weight}` : `+${weight}`;
}

export function preventsClean(name: string): boolean {
  return Object.hasOwn(WEIGHTS, name) && WEIGHTS[name as SignalName][1] === 'never clean';
}
