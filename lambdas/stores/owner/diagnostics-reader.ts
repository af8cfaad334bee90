import type { StoreContext } from '../tables.ts';
import { makeRejectionEvents } from './rejection-events.ts';
import { makeRejectionSummary } from './rejection-summary.ts';

interface ReaderContext extends StoreContext<'diagnostics'> {
  readonly now: () => number;
}

/** Reads Diagnostics by Query alone, so that its function needs no other permission. */
export function makeDiagnosticsReader(context: ReaderContext) {
  return {
    /** Throws InvalidRange: by minute at most 24 hours, by hour at most 31 days. */
    summary: makeRejectionSummary(context),
    /**
     * `events`: newest first, in whole minutes, so that a page may hold up to 19 more than asked for; throws
     * InvalidCursor. `event`: one of them, by the id of its request.
     */
    ...makeRejectionEvents(context),
  };
}

export type DiagnosticsReader = ReturnType<typeof makeDiagnosticsReader>;
