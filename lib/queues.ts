import type { Enrichment } from './enrichment.ts';
import type { Learning } from './learning.ts';
import type { Search } from './search.ts';
import type { Sending } from './sending.ts';
import type { LeadIngestQueues } from './stack-props.ts';

interface Workers {
  readonly enrichment: Enrichment;
  readonly sending: Sending;
  readonly search: Search;
  readonly learning: Learning;
}

export function queuesOf({ enrichment, sending, search, learning }: Workers): LeadIngestQueues {
  return {
    enrichment: enrichment.queue,
    enrichmentDeadLetters: enrichment.deadLetters,
    dispatch: sending.events,
    sending: sending.queue,
    slowSending: sending.slowQueue,
    index: search.queue,
    learning: learning.queue,
    sendingDeadLetters: sending.deadLetters,
  };
}
