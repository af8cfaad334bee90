import type { StoreContext } from '../tables.ts';
import { makeRejectionEvents } from './rejection-events.ts';
import { makeRejectionLookup } from './rejection-lookup.ts';
import { makeRejectionSummary } from './rejection-summary.ts';

interface ReaderContext extends StoreContext<'diagnostics' | 'rejections' | 'unauthenticatedRejections'> {
  readonly now: () => number;
}

/** Reads by Query alone, so that its function needs no other permission. */
export function makeDiagnosticsReader(context: ReaderContext) {
  return {
    /** Throws InvalidRange: by minute at most 24 hours, by hour at most 31 days. */
    summary: makeRejectionSummary(context),
    events: makeRejectionEvents(context),
    lookUp: makeRejectionLookup(context),
  };
}

export type DiagnosticsReader = ReturnType<typeof makeDiagnosticsReader>;
