/** A JSON list of what the functions of a small account work on, in turn. */
export const IN_TURN_VARIABLE = 'IN_TURN_SOURCES';

/** Where Stats keeps how far streams have been read. No workspace has such an id. */
export const IN_TURN_PARTITION = 'in-turn';

/** A queue or a stream, and the function that works on it, as its mapping says. */
export interface InTurnSource {
  /** The function's name, with its alias. */
  readonly fn: string;
  /** How many messages or records it gets at once. */
  readonly batch: number;
  /** How long it may run. */
  readonly seconds: number;
  /** The URL of the queue, */
  readonly queue?: string;
  /** or the ARN of the stream. */
  readonly stream?: string;
}

/** Functions that may wait this long, for DNS and for the owners' servers, must not hold up the others. */
const SLOW_SECONDS = 30;

/** Each lane invokes one function at a time: so many run at once, besides the one that invokes them. */
export const IN_TURN_LANES = 2;

export function lanesOf<Source extends Pick<InTurnSource, 'seconds'>>(
  sources: readonly Source[],
): readonly (readonly Source[])[] {
  const isSlow = ({ seconds }: Source) => seconds >= SLOW_SECONDS;
  return [sources.filter((source) => !isSlow(source)), sources.filter(isSlow)];
}
