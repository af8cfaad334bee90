import { totalOf } from '../cost/prices.ts';
import { GOALS } from '../measure/cost.ts';
import type { Results } from '../measured.ts';
import { type Row, round } from './local-rows.ts';

export function backgroundRows({ background, stackCost }: Pick<Results, 'background' | 'stackCost'>): Row[] {
  const { index } = background['1 KB'];
  const row = (figure: string, measured: number, goal: number): Row => ({
    id: 'background',
    figure,
    measured: String(Number(measured.toFixed(2))),
    goal: `≤ ${goal}`,
    met: measured <= goal,
  });
  return [
    row(
      'write units of background work per clean lead, without destinations',
      stackCost.backgroundWriteUnits,
      GOALS.backgroundWriteUnits,
    ),
    row('write units of the search index per lead', index.writeUnits, GOALS.indexWriteUnits),
    row('read units of the search index per lead of 1 KB', index.readUnits, GOALS.indexReadUnits),
  ];
}

export function dollarRows({ costs }: Pick<Results, 'costs'>): Row[] {
  return costs.map(({ size, keyed, whole }) => {
    const isLimited = size === '1 KB' && !keyed;
    const limit = isLimited ? GOALS.wholeStackDollars : Number.POSITIVE_INFINITY;
    return {
      id: 'dollars',
      figure: `US $ per million leads of ${size}${keyed ? ', with key' : ''}, whole stack`,
      measured: round(whole.ours),
      shelf: round(whole.shelf),
      goal: isLimited ? `< ${limit}, and below off the shelf` : 'below off the shelf',
      met: whole.ours < Math.min(limit, whole.shelf),
    };
  });
}

const SENDING_GOAL = 2;

export function sendingRows({ sending }: Pick<Results, 'sending'>): Row[] {
  return sending
    .filter(({ size, destinations }) => size === '1 KB' && destinations > 0)
    .map(({ destinations, byService }) => {
      const each = totalOf(byService) / destinations;
      return {
        id: 'sending',
        figure: `US $ per million messages to webhooks, ${destinations} per lead of 1 KB`,
        measured: round(each),
        goal: `about ${SENDING_GOAL}`,
        met: each <= 1.1 * SENDING_GOAL,
      };
    });
}

const SEARCH_GOALS = [
  { search: 'an email address', title: 'a whole email address', unitsPerLead: 0, units: 5 },
  { search: 'a phone number', title: 'a whole phone number', unitsPerLead: 0, units: 5 },
  {
    search: 'a name that 1 % have',
    title: 'the newest 50 of a name that 1 % have',
    unitsPerLead: 0,
    units: 200,
  },
  { search: 'a word that nobody has', title: 'a word that nobody has', unitsPerLead: 0.04, units: 0 },
];
const SECONDS_PER_STEP = 5;

export function searchRows({ search }: Pick<Results, 'search'>): Row[] {
  return SEARCH_GOALS.flatMap(({ search: name, title, unitsPerLead, units }) =>
    search.flatMap(({ leads, reads }) => {
      const read = reads.find((each) => each.search === name);
      if (!read) return [];
      const allowed = units + unitsPerLead * leads;
      const seconds = read.longestStepMilliseconds / 1_000;
      return {
        id: 'search',
        figure: `search for ${title}, ${leads.toLocaleString('en')} leads`,
        measured: `${read.readUnits.toLocaleString('en')} read units, ${read.steps} ${read.steps === 1 ? 'step' : 'steps'} of at most ${round(seconds)} s`,
        goal: `≤ ${allowed.toLocaleString('en')} read units, steps ≤ ${SECONDS_PER_STEP} s`,
        met: read.readUnits <= allowed && seconds <= SECONDS_PER_STEP,
      };
    }),
  );
}
