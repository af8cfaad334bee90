import type { MistakeName } from './mistakes.ts';

/** What was put before and after the body. `T` stands for the timestamp. */
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
