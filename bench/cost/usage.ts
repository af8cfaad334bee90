import type { Capacity } from '../units/capacity.ts';
import { ASSUMPTIONS as A } from './assumptions.ts';
import type { Usage } from './dollars.ts';

type Units = Pick<Capacity, 'writeUnits' | 'readUnits'>;

export interface Accepting extends Units {
  readonly callsInSequence: number;
  readonly sqsRequests: number;
  readonly cpuMilliseconds: number;
  /** Of the function's own lines. */
  readonly logBytes: number;
}

/** The function that answers the sender. */
export function accepting(of: Accepting): Usage {
  return {
    ...{ writeUnits: of.writeUnits, readUnits: of.readUnits, sqsRequests: of.sqsRequests },
    invocations: 1,
    milliseconds:
      of.callsInSequence * A.dynamoDbMilliseconds +
      of.sqsRequests * A.sqsMilliseconds +
      of.cpuMilliseconds / A.processorShare,
    logBytes: of.logBytes + A.platformLogBytes,
  };
}

/** From the stream to the queue: ten ids in a request. */
export const RELAYING: Usage = batched({ writeUnits: 0, readUnits: 0 }, 1, A.relayMilliseconds);

/** Exact counts by hour, form and score band, a batch at a time. */
export function countingStats(units: Units): Usage {
  return batched(units, 0, A.statsMilliseconds);
}

/** Receive and delete are requests of ten. */
export function enriching(units: Units): Usage {
  return batched(units, 2, A.enrichMilliseconds);
}

function batched(unitsOfLead: Units, sqsRequestsOfBatch: number, milliseconds: number): Usage {
  const share = 1 / A.leadsPerBatch;
  return {
    ...{ writeUnits: unitsOfLead.writeUnits, readUnits: unitsOfLead.readUnits },
    sqsRequests: sqsRequestsOfBatch * share,
    invocations: share,
    milliseconds: milliseconds * share,
    logBytes: A.platformLogBytes * share,
  };
}
