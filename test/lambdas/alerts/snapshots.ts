import { DEFAULT_SETTINGS, type Finding } from '#alerts/alert.ts';
import { type Baseline, buildBaseline } from '#alerts/baseline.ts';
import { findProblems } from '#alerts/rules.ts';
import { HOUR, type RejectionTally, type Snapshot, type Watch } from '#alerts/snapshot.ts';

export const NOW = Date.parse('2026-11-16T12:00:00Z');
export const WEBHOOK = 'secret#form_1#current';

/** Ten leads in every hour of four weeks. */
export const busy = baselineOf(() => 10);

export function baselineOf(accepted: (hour: number) => number): Baseline {
  const end = NOW / HOUR;
  const counts = Array.from({ length: 28 * 24 }, (_, back) => end - 1 - back)
    .map((hour) => ({ hour, accepted: accepted(hour) }))
    .filter((count) => count.accepted > 0);
  const baseline = buildBaseline('form_1#1b', counts, NOW);
  if (!baseline) throw new Error('no baseline');
  return baseline;
}

export const quiet: Snapshot = {
  senders: [],
  baselines: new Map(),
  rejections: [],
  recent: [],
  used: { '1a': 0, '1b': 0, '1c': 0, '2': 0 },
  destinations: [],
  refused: [],
};

/** A webhook that was last accepted so long ago. */
export const silentFor = (milliseconds: number, sender = WEBHOOK) => [
  { sender, formId: 'form_1', lastUsedAt: NOW - milliseconds },
];

export function rejected(count: number, ago: number, more: Partial<RejectionTally> = {}): RejectionTally {
  const reason = 'signature_mismatch';
  const where = { formId: 'form_1', surface: '1b', authenticated: false } as const;
  return { ...where, at: NOW - ago, reason, count, ...more };
}

export function problems(
  facts: Partial<Snapshot>,
  { settings = DEFAULT_SETTINGS, open = new Map(), now = NOW }: Partial<Watch> = {},
): Finding[] {
  return findProblems({ ...quiet, ...facts }, { settings, open, now });
}

export const kinds = (...of: Parameters<typeof problems>) => problems(...of).map(({ kind }) => kind);
export const usual = new Map([['form_1#1b', busy]]);
