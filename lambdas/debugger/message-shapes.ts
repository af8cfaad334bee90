import { LIMITS } from '../model/limits.ts';
import type { MistakeName } from './mistakes.ts';

/** The text that may have been signed in place of the timestamp that was sent. */
export interface TimestampVariant {
  readonly text: string;
  readonly mistakes: readonly MistakeName[];
  readonly weight: number;
}

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 60 * 60;

export function timestampVariants(sent: string): TimestampVariant[] {
  const trimmed = sent.trim();
  const variants: TimestampVariant[] = [{ text: sent, mistakes: [], weight: 0 }];
  if (trimmed !== sent) variants.push({ text: trimmed, mistakes: ['timestamp_with_whitespace'], weight: 1 });
  // Longer numbers would lose digits on the way through a number.
  if (!/^\d{1,15}$/.test(trimmed)) return variants;
  const value = Number(trimmed);
  if (trimmed.length > 11) {
    variants.push({ text: `${Math.floor(value / 1000)}`, mistakes: ['timestamp_seconds_signed'], weight: 1 });
  } else {
    variants.push({ text: `${trimmed}000`, mistakes: ['timestamp_milliseconds_signed'], weight: 1 });
  }
  for (const [seconds, weight] of [
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
  ] as const) {
    for (const text of [`${value - seconds}`, `${value + seconds}`]) {
      variants.push({ text, mistakes: ['timestamp_read_twice'], weight });
    }
  }
  return variants;
}

/** Every millisecond of the timestamp's second: the sender signed milliseconds and sent seconds in the header. */
export function* millisecondsOf(sent: string): Generator<TimestampVariant> {
  if (!/^\d{1,11}$/.test(sent)) return;
  for (let millisecond = 1; millisecond < 1000; millisecond += 1) {
    const text = sent + String(millisecond).padStart(3, '0');
    yield { text, mistakes: ['timestamp_milliseconds_signed'], weight: 1 };
  }
}

/** What is wrong with the header itself, whatever was signed. */
export function timestampMistakes(sent: string | undefined, nowMilliseconds: number): MistakeName[] {
  const text = sent?.trim() ?? '';
  if (text === '') return [];
  const around: MistakeName[] = text === sent ? [] : ['timestamp_with_whitespace'];
  if (/^\d+\.\d+$/.test(text)) return [...around, 'timestamp_with_fraction'];
  if (/^\d{4}-\d\d-\d\d|^[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4}/.test(text))
    return [...around, 'timestamp_as_date'];
  if (!/^\d+$/.test(text)) return around;
  const nowSeconds = Math.floor(nowMilliseconds / 1000);
  if (Math.abs(nowSeconds - Number(text)) <= LIMITS.timestampToleranceSeconds) return around;
  const milliseconds = Math.abs(nowSeconds - Number(text) / 1000) < TEN_YEARS_SECONDS;
  return [...around, milliseconds ? 'timestamp_in_milliseconds' : 'timestamp_clock_skew'];
}

/** What was put before and after the body. `T` is the timestamp. */
export interface MessageShape {
  readonly before: string;
  readonly after: string;
  readonly mistakes: readonly MistakeName[];
  readonly weight: number;
}

const shape = (weight: number, before: string, after: string, name?: MistakeName): MessageShape => ({
  before,
  after,
  weight,
  mistakes: name ? [name] : [],
});

/** The right one first. */
export const MESSAGE_SHAPES = [
  shape(0, 'T.', ''),
  shape(1, '', '', 'message_body_alone'),
  shape(1, 'T', '', 'message_without_dot'),
  shape(1, '', '.T', 'message_body_first'),
  shape(1, 'T:', '', 'message_other_separator'),
  shape(1, 'T\n', '', 'message_other_separator'),
  shape(1, 't=T.', '', 'message_with_label'),
  shape(2, '', 'T', 'message_body_first'),
  shape(2, 'v0:T:', '', 'message_with_label'),
  ...[' ', ',', '|', '-', '_', '&', '\r\n', '. ', '\\n'].map((separator) =>
    shape(2, `T${separator}`, '', 'message_other_separator'),
  ),
] as const satisfies readonly MessageShape[];

export const RIGHT_SHAPE: MessageShape = MESSAGE_SHAPES[0];

export function usesTimestamp({ before, after }: MessageShape): boolean {
  return before.includes('T') || after.includes('T');
}

/** The first `T` only: no shape has two, and the timestamp, as sent, could hold anything. */
export const fill = (template: string, timestamp: string) => template.replace('T', () => timestamp);
