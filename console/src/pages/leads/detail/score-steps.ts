import type { Lead } from '#console/api/types.ts';
import { preventsClean, sortedSignals } from '../lead-words.ts';
import { findingText } from './finding-text.ts';

/** The score of a lead without findings. */
export const START = 50;
/** As in scoring: ten points multiply the odds that a lead is good by e. */
const POINTS_PER_LOG_ODDS = 10;

export interface ScoreStep {
  readonly name: string;
  readonly title: string;
  readonly meaning?: string | undefined;
  /** The score before and after. */
  readonly from: number;
  readonly to: number;
  readonly neverClean: boolean;
}

export interface ScoreSteps {
  readonly steps: readonly ScoreStep[];
  /** Findings that count nothing. */
  readonly others: readonly string[];
}

type Scored = Pick<Lead, 'score' | 'signals'>;

/**
 * How the findings lead from 50 to the score, heaviest first. A finding's points change the odds, so how much it moves
 * the score depends on where the ones before it left it. The last step is the rest, if there is one: a finding that rules
 * out a clean lead limits the score, and earlier versions scored differently.
 */
export function scoreSteps({ score, signals }: Scored): ScoreSteps {
  const weighed = sortedSignals(signals).filter(({ weight }) => weight !== 0);
  let points = 0;
  let from = START;
  const steps: ScoreStep[] = weighed.map((signal) => {
    points += signal.weight;
    const to = Math.round(100 / (1 + Math.exp(-points / POINTS_PER_LOG_ODDS)));
    const step = {
      name: signal.name,
      ...findingText(signal),
      from,
      to,
      neverClean: preventsClean(signal.name),
    };
    from = to;
    return step;
  });
  if (from !== score) {
    const veto = signals.find(({ name }) => preventsClean(name));
    const title = veto ? `Limit, because of: ${findingText(veto).title}` : 'Other rules at that time';
    steps.push({ name: 'rest', title, from, to: score, neverClean: false });
  }
  const others = signals.filter(({ weight }) => weight === 0).map((signal) => findingText(signal).title);
  return { steps, others };
}

/** The first steps, and the rest as one: what is shown always adds up to the score. */
export function shortened(steps: readonly ScoreStep[], most: number): readonly ScoreStep[] {
  if (steps.length <= most + 1) return steps;
  const rest = steps.slice(most);
  const summary = {
    name: 'more',
    title: `${rest.length} more findings`,
    from: rest[0]?.from ?? START,
    to: rest.at(-1)?.to ?? START,
    neverClean: false,
  };
  return [...steps.slice(0, most), summary];
}

/** With a real minus sign. A small change of a score near its end may round to nothing. */
export function changeText({ from, to }: Pick<ScoreStep, 'from' | 'to'>): string {
  if (to === from) return '±0';
  return to > from ? `+${to - from}` : `−${from - to}`;
}

type Judged = Pick<Lead, 'clean' | 'review' | 'sender' | 'score' | 'signals' | 'test'>;

/** Why a lead is clean or not, in one sentence. Verdicts come before senders, and senders before the score. */
export function whyClean({ clean, review, sender, score, signals }: Judged, cleanFrom: number): string {
  if (review?.verdict === 'spam') return 'Not clean, because your team marked it as spam.';
  if (review) return 'Clean, because your team marked it as not spam.';
  if (sender === 'blocked') return 'Not clean, because its sender was blocked when it was received.';
  if (sender === 'trusted') return 'Clean, because its sender was trusted when it was received.';
  if (clean) return `Clean, because the score is at least ${cleanFrom} and nothing rules it out.`;
  const veto = signals.find(({ name }) => preventsClean(name));
  if (veto) return `Not clean, because of one finding that always rules it out: ${findingText(veto).title}.`;
  if (score < cleanFrom) return `Not clean, because the score is below ${cleanFrom}.`;
  return 'Not clean by the rules at that time.';
}
