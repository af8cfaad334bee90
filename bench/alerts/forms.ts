import { seededRandom } from '../seeded-random.ts';

/** Forms as owners have them, and what happens to them: the leads, the incidents and the forged requests of years. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** A Thursday, as the epoch is. */
export const START = Date.UTC(2026, 0, 1);

export interface FormProfile {
  readonly name: string;
  readonly kind: 'steady' | 'business hours' | 'bursty' | 'rare';
  /** Leads expected per hour at this time, bursts not included. */
  rate(at: number): number;
  /** Clusters of leads, as a campaign brings them. */
  readonly bursts?: { readonly perWeek: number; readonly leads: number; readonly hours: number } | undefined;
}

export interface Incident {
  /** `broken`: senders go on, and every request is rejected. `silent`: nothing arrives. */
  readonly kind: 'broken' | 'silent';
  readonly from: number;
}

export interface FormHistory {
  readonly profile: FormProfile;
  /** What the form's own sender sends, in order, incidents or not. */
  readonly sent: readonly number[];
  /** Requests of strangers, with wrong signatures. */
  readonly forged: readonly number[];
  /** Each lasts until somebody is alerted and reacts. */
  readonly incidents: readonly Incident[];
  readonly end: number;
}

const daylight = (at: number) => {
  const hour = (at % DAY) / HOUR;
  return 1 + 0.7 * Math.sin(((hour - 9) / 24) * 2 * Math.PI);
};
const isWeekend = (at: number) => [0, 6].includes(new Date(at).getUTCDay());
const officeHours = (at: number) => {
  const hour = (at % DAY) / HOUR;
  if (isWeekend(at)) return 0.02;
  return hour >= 8 && hour < 18 ? 1 : 0.03;
};

/** Summer time in Berlin, in the year of the simulation. */
const berlin = (at: number) =>
  at + (at >= Date.UTC(2026, 2, 29, 1) && at < Date.UTC(2026, 9, 25, 1) ? 2 : 1) * HOUR;

const steady = (name: string, perHour: number): FormProfile => ({
  name,
  kind: 'steady',
  rate: (at) => perHour * daylight(at),
});
const business = (name: string, perHour: number): FormProfile => ({
  name,
  kind: 'business hours',
  rate: (at) => perHour * officeHours(at),
});
/** As people live: at every clock change, all hours move against UTC. */
const local = (name: string, perHour: number): FormProfile => ({
  name,
  kind: 'business hours',
  rate: (at) => perHour * officeHours(berlin(at)),
});
const bursty = (name: string, perHour: number, bursts: NonNullable<FormProfile['bursts']>): FormProfile => ({
  name,
  kind: 'bursty',
  rate: (at) => perHour * daylight(at),
  bursts,
});
const rare = (name: string, perWeek: number): FormProfile => ({
  name,
  kind: 'rare',
  rate: (at) => (perWeek / 168) * (isWeekend(at) ? 0.4 : 1.24),
});

export const LOCAL_PROFILES: readonly FormProfile[] = [
  local('20 per hour in office hours, with clock changes', 20),
  local('3 per hour in office hours, with clock changes', 3),
];

export const PROFILES: readonly FormProfile[] = [
  steady('60 per hour', 60),
  steady('5 per hour', 5),
  steady('6 per day', 0.25),
  business('20 per hour in office hours', 20),
  business('3 per hour in office hours', 3),
  business('4 per working day', 0.4),
  bursty('4 campaigns per week on a steady trickle', 0.5, { perWeek: 4, leads: 40, hours: 3 }),
  bursty('groups of about 6, five times per day', 0.02, { perWeek: 35, leads: 6, hours: 1 }),
  bursty('one large campaign per week', 0.1, { perWeek: 1, leads: 150, hours: 8 }),
  rare('10 per week', 10),
  rare('3 per week', 3),
  rare('2 per month', 0.5),
  ...LOCAL_PROFILES,
];

/** Moments of a Poisson process, in order. */
function arrivals(
  random: () => number,
  [from, to]: readonly [number, number],
  rate: (at: number) => number,
  highest: number,
): number[] {
  const moments: number[] = [];
  for (let at = from; ; ) {
    at += (-Math.log(1 - random()) / highest) * HOUR;
    if (at >= to) return moments;
    if (random() * highest < rate(at)) moments.push(Math.floor(at));
  }
}

/** The first weeks are without incidents: a form has a past before it breaks. */
const QUIET_WEEKS = 6;
const WEEKS_PER_INCIDENT = 8;
/** An incident without an alert ends after this time, so that the form is healthy before the next one. */
export const MAX_INCIDENT = 4 * WEEK;

function plantIncidents(random: () => number, weeks: number): Incident[] {
  const incidents: Incident[] = [];
  for (let week = QUIET_WEEKS; week + 5 <= weeks; week += WEEKS_PER_INCIDENT) {
    const from = START + week * WEEK + Math.floor(random() * WEEK);
    incidents.push({ kind: incidents.length % 2 === 0 ? 'broken' : 'silent', from });
  }
  return incidents;
}

/** Strangers try a form four times per day on average, three requests each. */
const FORGERIES_PER_HOUR = 4 / 24;

/** The life of one form. */
export function liveForm(profile: FormProfile, weeks: number, seed: number): FormHistory {
  const random = seededRandom(seed);
  const end = START + weeks * WEEK;
  const highest = Math.max(...Array.from({ length: 168 }, (_, hour) => profile.rate(START + hour * HOUR)));
  const sent = arrivals(random, [START, end], profile.rate, highest * 1.05);
  const { bursts } = profile;
  if (bursts) {
    const perHour = bursts.perWeek / 168;
    for (const burst of arrivals(random, [START, end], () => perHour, perHour)) {
      const leads = Math.ceil(-Math.log(1 - random()) * bursts.leads);
      for (let lead = 0; lead < leads; lead += 1) {
        sent.push(Math.floor(burst + random() ** 2 * bursts.hours * HOUR));
      }
    }
  }
  const forged = arrivals(random, [START, end], () => FORGERIES_PER_HOUR, FORGERIES_PER_HOUR);
  return {
    profile,
    sent: sent.filter((at) => at < end).sort((a, b) => a - b),
    forged: forged.flatMap((at) => [at, at + 1_000, at + 2_000]).sort((a, b) => a - b),
    incidents: plantIncidents(random, weeks),
    end,
  };
}
