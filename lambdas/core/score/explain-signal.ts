import { type SignalName, WEIGHTS } from './weights.ts';

/** What a finding means, in an owner's words. Leads keep the names of findings that scoring makes no more. */
export function explainSignal(name: string): string {
  return Object.hasOwn(WEIGHTS, name) ? WEIGHTS[name as SignalName][2] : 'Found by an earlier scoring';
}
