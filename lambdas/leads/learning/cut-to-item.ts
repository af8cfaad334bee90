import { itemBytes } from '../../model/lead-item.ts';
import type { Learned, LearnedPoints } from '../../model/learned.ts';

/** One read unit is 4 KB. The rest of the item, keys and counts, takes the other 300 bytes. */
export const MAX_LEARNED_BYTES = 4096 - 300;

interface Entry {
  readonly kind: keyof LearnedPoints;
  readonly name: string;
  readonly points: number;
  /** Undefined for the workspace's. */
  readonly formId?: string;
  /** What is lost without it: of a form, the difference from the workspace's points. */
  readonly strength: number;
}

/** Leaves out the weakest, so that reading it with the configuration never costs more than one read unit. */
export function cutToItem(learned: Learned): Learned {
  const entries = entriesOf(learned).sort(
    (one, other) => other.strength - one.strength || compare(keyOf(one), keyOf(other)),
  );
  // The more entries, the more bytes: halve the interval until the last that fits is found.
  let [fits, tooMany] = [0, entries.length + 1];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (itemBytes({ learned: join(entries.slice(0, middle)) }) <= MAX_LEARNED_BYTES) fits = middle;
    else tooMany = middle;
  }
  return join(entries.slice(0, fits));
}

const KINDS = ['words', 'signals'] as const;

function entriesOf(learned: Learned): Entry[] {
  return KINDS.flatMap((kind) => [
    ...Object.entries(learned[kind]).map(([name, points]) => ({
      kind,
      name,
      points,
      strength: Math.abs(points),
    })),
    ...Object.entries(learned.forms).flatMap(([formId, own]) =>
      Object.entries(own[kind]).map(([name, points]) => {
        return { kind, name, points, formId, strength: Math.abs(points - (learned[kind][name] ?? 0)) };
      }),
    ),
  ]);
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
const keyOf = ({ kind, name, formId = '' }: Entry) => `${formId} ${kind} ${name}`;

type Writable = Record<keyof LearnedPoints, Record<string, number>>;

function join(entries: readonly Entry[]): Learned {
  const all: Writable = { words: {}, signals: {} };
  const forms: Record<string, Writable> = {};
  const sorted = [...entries].sort((one, other) => compare(keyOf(one), keyOf(other)));
  for (const { kind, name, points, formId } of sorted) {
    if (formId === undefined) all[kind][name] = points;
    // Nothing is left for a 0 to replace if the workspace's points were too weak.
    else if (points !== 0 || Object.hasOwn(all[kind], name)) {
      forms[formId] ??= { words: {}, signals: {} };
      forms[formId][kind][name] = points;
    }
  }
  return { ...all, forms };
}
