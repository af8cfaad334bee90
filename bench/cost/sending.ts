import { ASSUMPTIONS as A, PRICES as P } from './prices.ts';

/** What can't be measured on one machine. */
export const SENDING_ASSUMPTIONS = {
  /** Events per batch of dispatch, and messages per batch of send. */
  batch: 10,
  /** Name, TLS handshake and response. The messages of a batch are sent in parallel. */
  receiverMilliseconds: 200,
  /** Of one message: two DynamoDB calls, a TLS handshake and a signature. */
  processorMilliseconds: 5,
} as const;

/** What the calls of dispatch and send add up to for a number of events, each for the same destinations. */
export interface CountedSending {
  readonly events: number;
  readonly messages: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Calls with which dispatch puts messages on the queue. */
  readonly queueCalls: number;
  readonly logBytes: number;
}

/** US dollars for the counted events and all their messages, by service. */
export function sendingDollars(counted: CountedSending): Record<string, number> {
  const { events, messages, readUnits, writeUnits, queueCalls, logBytes } = counted;
  const { batch, receiverMilliseconds, processorMilliseconds } = SENDING_ASSUMPTIONS;
  const batches = { dispatch: events / batch, send: messages / batch };
  const invocations = batches.dispatch + batches.send;
  const dispatchMilliseconds = A.dynamoDbMilliseconds + A.sqsMilliseconds;
  const sendMilliseconds =
    2 * A.dynamoDbMilliseconds + receiverMilliseconds + (batch * processorMilliseconds) / A.processorShare;
  const milliseconds = batches.dispatch * dispatchMilliseconds + batches.send * sendMilliseconds;
  // The relay sends, and both queues are received from and deleted from, ten at a time.
  const sqsRequests = batches.dispatch + queueCalls + 2 * invocations;
  return {
    Lambda:
      invocations * P.lambdaRequest + (milliseconds / 1_000) * A.memoryGigabytes * P.lambdaGigabyteSecond,
    DynamoDB: readUnits * P.readUnit + writeUnits * P.writeUnit,
    SQS: sqsRequests * P.sqsRequest,
    'CloudWatch Logs': (logBytes + invocations * A.platformLogBytes) * P.logByte,
    'X-Ray': invocations * A.tracedShare * P.trace,
  };
}
