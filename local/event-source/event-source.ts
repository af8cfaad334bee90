import type { Print } from '../function-log.ts';
import type { Pace } from './pace.ts';

/** Invokes the mapping's function; rejects where the invocation fails. */
export type Invoke = (event: string) => Promise<string>;

/** What every running mapping needs. */
export interface EventSourceSettings {
  readonly invoke: Invoke;
  readonly pace: Pace;
  readonly print: Print;
}

export interface EventSource {
  /** Takes nothing more; resolves when what was under way has come to its end. */
  stop(): Promise<void>;
}
