import { TICK_MS } from '#submission/answer-on-tick.ts';
import type { Samples } from './timed-function.ts';
import { cropTogether, quantile, samplesToSee, T_LIMIT, welchT } from './welch.ts';

/** What took longer had something else in it: the collector, another process. */
const KEPT_SHARE = 0.9;

type Both = readonly [Samples, Samples];

/** Holds if the answers cannot be told apart, and the tick is longer than nearly all of the work. */
export function describeSamples(
  work: Both,
  [left, right]: Both,
  { mayPassTick }: { readonly mayPassTick: boolean },
): { readonly held: boolean; readonly figures: string } {
  const cropped = cropTogether(left.answered, right.answered, KEPT_SHARE);
  const [t, croppedT] = [welchT(left.answered, right.answered), welchT(...cropped)];
  const slowest = Math.max(quantile(left.natural, 0.99), quantile(right.natural, 0.99));
  const seen = Math.min(samplesToSee(left.answered, right.answered), samplesToSee(...cropped));
  const apart = differenceOf(work);
  return {
    held: Math.abs(t) < T_LIMIT && Math.abs(croppedT) < T_LIMIT && (mayPassTick || slowest < TICK_MS),
    figures: [
      `t = ${t.toFixed(2)}, without the slowest tenth ${croppedT.toFixed(2)}`,
      `a difference shows after more than ${rounded(seen)} samples by these, after ${rounded(samplesAtEdge(left, right, apart))} by the edge of the tick`,
      `answered ${spread(left.answered)} and ${spread(right.answered)}`,
      `natural ${spread(left.natural)} and ${spread(right.natural)}`,
      `after the first tick ${percent(shareOver(left.natural, TICK_MS))} and ${percent(shareOver(right.natural, TICK_MS))}`,
      `work alone ${(1_000 * apart).toFixed(0)} µs apart`,
    ].join('; '),
  };
}

function differenceOf([left, right]: Both): number {
  const [one, other] = cropTogether(left.natural, right.natural, KEPT_SHARE);
  return quantile(other, 0.5) - quantile(one, 0.5);
}

/**
 * Of the work that ends near a tick, the difference pushes a share past it, and that answer comes a tick later. So many
 * samples show that one of the two comes later more often.
 */
function samplesAtEdge(left: Samples, right: Samples, apart: number): number {
  const both = new Float64Array([...left.natural, ...right.natural]);
  const late = shareOver(both, TICK_MS);
  const perMillisecond = (shareOver(both, TICK_MS - 4) - shareOver(both, TICK_MS + 4)) / 8;
  return (2 * T_LIMIT ** 2 * late * (1 - late)) / (perMillisecond * apart) ** 2;
}

function shareOver(sample: Float64Array, limit: number): number {
  return sample.filter((each) => each > limit).length / sample.length;
}

const spread = (sample: Float64Array) =>
  `${quantile(sample, 0.5).toFixed(3)} ms (p99 ${quantile(sample, 0.99).toFixed(3)})`;
const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
const rounded = (count: number) => Number(count.toPrecision(2)).toLocaleString('en');
