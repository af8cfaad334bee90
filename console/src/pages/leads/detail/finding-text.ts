import type { Lead } from '#console/api/types.ts';
import { signalLabel } from '#scoring/signal-words.ts';

type Signal = Pick<Lead['signals'][number], 'name' | 'explanation'>;

/** A finding's label, and what it means unless the label says as much. Words that were found stand beside the label. */
export function findingText({ name, explanation }: Signal): { title: string; meaning?: string } {
  const label = signalLabel(name);
  if (explanation === label) return { title: label };
  return explanation.startsWith(`${label}: `)
    ? { title: explanation }
    : { title: label, meaning: explanation };
}
