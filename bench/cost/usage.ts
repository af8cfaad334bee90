import type { Capacity } from '../units/capacity.ts';
import { ASSUMPTIONS as A, PRICES } from './prices.ts';

/** What one accepted lead uses on AWS. */
export interface Usage {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sqsRequests: number;
  readonly invocations: number;
  readonly milliseconds: number;
  readonly logBytes: number;
}

/** US dollars per million leads, by service. Gateway, web ACL, log and traces are the same for every function. */
export function dollarsPerMillion(usage: Usage): Record<string, number> {
  const each = {
    'API Gateway': PRICES.restRequest,
    WAF: PRICES.webAclRequest,
    Lambda:
      usage.invocations * PRICES.lambdaRequest +
      (usage.milliseconds / 1_000) * A.memoryGigabytes * PRICES.lambdaGigabyteSecond,
    DynamoDB: usage.writeUnits * PRICES.writeUnit + usage.readUnits * PRICES.readUnit,
    SQS: usage.sqsRequests * PRICES.sqsRequest,
    'CloudWatch Logs': (usage.logBytes + A.accessLogBytes) * PRICES.logByte,
    'X-Ray': A.tracedShare * PRICES.trace,
  };
  return Object.fromEntries(Object.entries(each).map(([service, dollars]) => [service, dollars * 1e6]));
}

export function add(...usages: readonly Usage[]): Usage {
  const sum = (name: keyof Usage) => usages.reduce((total, usage) => total + usage[name], 0);
  return {
    writeUnits: sum('writeUnits'),
    readUnits: sum('readUnits'),
    sqsRequests: sum('sqsRequests'),
    invocations: sum('invocations'),
    milliseconds: sum('milliseconds'),
    logBytes: sum('logBytes'),
  };
}

export function totalOf(dollars: Readonly<Record<string, number>>): number {
  return Object.values(dollars).reduce((sum, each) => sum + each, 0);
}

type Units = Pick<Capacity, 'writeUnits' | 'readUnits'>;

export interface Accepting extends Units {
  readonly callsInSequence: number;
  readonly sqsRequests: number;
  readonly cpuMilliseconds: number;
  /** The function's own log lines. */
  readonly logBytes: number;
}

/** The ingest function. */
export function accepting(of: Accepting): Usage {
  return {
    writeUnits: of.writeUnits,
    readUnits: of.readUnits,
    sqsRequests: of.sqsRequests,
    invocations: 1,
    milliseconds:
      of.callsInSequence * A.dynamoDbMilliseconds +
      of.sqsRequests * A.sqsMilliseconds +
      of.cpuMilliseconds / A.processorShare,
    logBytes: of.logBytes + A.platformLogBytes,
  };
}

/** From the stream to the queue, ten ids per request. */
export const RELAYING: Usage = batched({ writeUnits: 0, readUnits: 0 }, 1, A.relayMilliseconds);

/** Exact counts by hour, form and score band, in batches. */
export function countingStats(units: Units): Usage {
  return batched(units, 0, A.statsMilliseconds);
}

/** Ten messages per receive and per delete. */
export function enriching(units: Units): Usage {
  return batched(units, 2, A.enrichMilliseconds);
}

function batched(unitsOfLead: Units, sqsRequestsOfBatch: number, milliseconds: number): Usage {
  const share = 1 / A.leadsPerBatch;
  return {
    writeUnits: unitsOfLead.writeUnits,
    readUnits: unitsOfLead.readUnits,
    sqsRequests: sqsRequestsOfBatch * share,
    invocations: share,
    milliseconds: milliseconds * share,
    logBytes: A.platformLogBytes * share,
  };
}
