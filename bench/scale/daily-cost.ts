import { dollarsPerMillion, totalOf } from '../cost/prices.ts';
import { STACK, type Timings } from './capacity.ts';
import { submissionCost } from './simulate-submission.ts';
import { READS, runningAt } from './steady-load.ts';

/** US dollars for a day of so many leads per second, with one message each. */
export function dollarsPerDay(rate: number, timings: Timings): number {
  const { workspaces, idempotency, leadStored, leadEnriched, leadsByForm, leadIndex, stats } =
    submissionCost();
  // One of the ingest function, and one batch for ten: relay, enrichment, stats, index, dispatch twice, send.
  const batches = 7 / STACK.indexBatch;
  const perMillion = dollarsPerMillion({
    writeUnits: workspaces + idempotency + leadStored + leadEnriched + leadsByForm + leadIndex + stats + 1,
    readUnits: READS.workspaces + READS.leads + READS.destinations + READS.messages + 1,
    // Each message is sent, received and deleted in a batch of ten: for enrichment, index, dispatch twice, send.
    sqsRequests: (3 * 5) / STACK.indexBatch,
    invocations: 1 + batches,
    milliseconds: 1_000 * runningAt(1, timings),
    logBytes: 1_000 * (1 + batches),
  });
  return (rate * 86_400 * totalOf(perMillion)) / 1e6;
}
