import { ALERT_KINDS, type AlertKind, SETTING_OF, SETTINGS_RANGES } from '#alerts/alert.ts';
import { ApiProblem, errorMessage } from '../../api/problem.ts';
import type { AlertSettings } from '../../api/types.ts';

/** The number behind a kind of alert, as a sentence around a field: "Alert when … for [60] minutes". */
export interface Threshold {
  /** The name in the API, also in its errors: `destinationFailing.afterMinutes`. */
  readonly field: string;
  readonly before: string;
  readonly unit: string;
  readonly description?: string;
  readonly range: readonly [min: number, max: number];
  readonly isWhole: boolean;
}

const whole = (field: string, range: Threshold['range'], words: Pick<Threshold, 'before' | 'unit'>) => ({
  field,
  range,
  isWhole: true,
  ...words,
});

export const QUIET_PERIOD: Threshold = {
  ...whole('quietMinutes', SETTINGS_RANGES.quietMinutes, { before: 'Quiet period', unit: 'minutes' }),
  description: 'For this long after an alert was closed, the same alert doesn’t open again.',
};

export const THRESHOLDS: Readonly<Record<AlertKind, Threshold>> = {
  sender_broken: {
    ...whole('senderBroken.afterMinutes', SETTINGS_RANGES.senderBroken.afterMinutes, {
      before: 'Alert when no lead was accepted for',
      unit: 'minutes',
    }),
    description: 'You hear sooner about senders that usually send more often.',
  },
  silence: {
    field: 'silence.factor',
    range: SETTINGS_RANGES.silence.factor,
    isWhole: false,
    before: 'Alert when a silence lasts',
    unit: 'times what is unusual',
    description:
      'What is unusual depends on the form’s past weeks. A higher number means fewer and later alerts.',
  },
  daily_limit: whole('dailyLimit.percent', SETTINGS_RANGES.dailyLimit.percent, {
    before: 'Alert when this much of the limit is used',
    unit: 'percent',
  }),
  destination_failing: whole(
    'destinationFailing.afterMinutes',
    SETTINGS_RANGES.destinationFailing.afterMinutes,
    { before: 'Alert when a destination has failed for', unit: 'minutes' },
  ),
  rotation_ending: whole('rotationEnding.withinHours', SETTINGS_RANGES.rotationEnding.withinHours, {
    before: 'Alert when the old secret stops working within',
    unit: 'hours',
  }),
  clock_drift: whole('clockDrift.seconds', SETTINGS_RANGES.clockDrift.seconds, {
    before: 'Alert when the sender’s clock is wrong by',
    unit: 'seconds',
  }),
};

const ALL = [QUIET_PERIOD, ...Object.values(THRESHOLDS)];

/** What the owner has entered. Numbers are texts until they are saved. */
export interface SettingsDraft {
  readonly enabled: Readonly<Record<AlertKind, boolean>>;
  /** By field. */
  readonly typed: Readonly<Record<string, string>>;
}

/** The names in the API of a field: `['silence', 'factor']`. */
const partsOf = (field: string) => field.split('.') as [string, string?];

export function draftOf(settings: AlertSettings): SettingsDraft {
  const flat = new Map(
    Object.entries(settings).flatMap(([name, value]) =>
      typeof value === 'object'
        ? Object.entries(value).map(([inner, of]) => [`${name}.${inner}`, String(of)] as const)
        : [[name, String(value)] as const],
    ),
  );
  const enabled = ALERT_KINDS.map((kind) => [kind, settings[SETTING_OF[kind]].enabled] as const);
  return {
    enabled: Object.fromEntries(enabled) as Record<AlertKind, boolean>,
    typed: Object.fromEntries(ALL.map(({ field }) => [field, flat.get(field) ?? ''])),
  };
}

/** The decimal comma of many phones is fine too. */
const numberOf = (typed = '') => (typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.')));

const text = (value: number) => value.toLocaleString('en');

export const rangeText = ({ range: [min, max] }: Pick<Threshold, 'range'>) => `${text(min)} to ${text(max)}`;

/** By field. The number of an alert that is off does not matter, so it is not checked. */
export function settingsProblems(draft: SettingsDraft): Readonly<Record<string, string>> {
  return Object.fromEntries(
    shownThresholds(draft).flatMap((threshold) => {
      const value = numberOf(draft.typed[threshold.field]);
      const [min, max] = threshold.range;
      const isRight = value >= min && value <= max && (!threshold.isWhole || Number.isInteger(value));
      const kind = threshold.isWhole ? 'a whole number' : 'a number';
      return isRight ? [] : [[threshold.field, `Enter ${kind} from ${rangeText(threshold)}.`]];
    }),
  );
}

const shownThresholds = ({ enabled }: SettingsDraft) => [
  QUIET_PERIOD,
  ...ALERT_KINDS.filter((kind) => enabled[kind]).map((kind) => THRESHOLDS[kind]),
];

/** The body for the API, without the numbers of alerts that are off. */
export function settingsBody(draft: SettingsDraft): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const kind of ALERT_KINDS) body[SETTING_OF[kind]] = { enabled: draft.enabled[kind] };
  for (const { field } of shownThresholds(draft)) {
    const [name, inner] = partsOf(field);
    const value = numberOf(draft.typed[field]);
    body[name] = inner === undefined ? value : { ...(body[name] as object), [inner]: value };
  }
  return body;
}

/** The API's errors by the field that shows them, and the rest as one text. */
export function refusedSettings(error: unknown) {
  if (error == null) return { byField: {}, other: undefined };
  const found = error instanceof ApiProblem ? error.fields : [];
  const shown = found.filter(({ field }) => ALL.some((each) => each.field === field));
  const byField = Object.fromEntries(shown.map(({ field, problem }) => [field, `It ${problem}.`]));
  const isAllShown = found.length > 0 && shown.length === found.length;
  return { byField, other: isAllShown ? undefined : errorMessage(error) };
}
