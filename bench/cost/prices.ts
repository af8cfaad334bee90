import type { Capacity } from '../units/capacity.ts';

/**
 * AWS list prices of us-east-1 in US dollars, without free tiers and volume discounts, as published in the first half
 * of 2026. Check them against the pages named before you rely on a total; the comparison is less sensitive to them.
 */
export const PRICES = {
  /** https://aws.amazon.com/api-gateway/pricing/ REST API, a request. */
  restRequest: 3.5e-6,
  /** The same page: HTTP API, a request. */
  httpRequest: 1e-6,
  /** https://aws.amazon.com/cloudfront/pricing/ an HTTPS request, a run of a CloudFront function, a byte to a viewer. */
  cloudFrontRequest: 1e-6,
  cloudFrontFunction: 0.1e-6,
  cloudFrontByte: 0.085e-9,
  /** https://aws.amazon.com/waf/pricing/ a request that the web ACL looks at. */
  webAclRequest: 0.6e-6,
  /** https://aws.amazon.com/lambda/pricing/ a request, and a GB-second on arm64. */
  lambdaRequest: 0.2e-6,
  lambdaGigabyteSecond: 0.0000133334,
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/ standard table class. Lambda reads streams free of charge. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  /** https://aws.amazon.com/sqs/pricing/ standard queue, a request. */
  sqsRequest: 0.4e-6,
  /** https://aws.amazon.com/cloudwatch/pricing/ ingestion of a byte, standard class. */
  logByte: 0.5e-9,
  /** https://aws.amazon.com/xray/pricing/ a trace recorded. */
  trace: 5e-6,
} as const;

/** Monthly list prices of us-east-1 in US dollars. */
export const MONTHLY_PRICES = {
  /** https://aws.amazon.com/kms/pricing/ a key of one's own, and each of its first two yearly rotations. */
  kmsKey: 1,
  kmsKeyRotation: 1,
  /** https://aws.amazon.com/secrets-manager/pricing/ a secret. */
  secret: 0.4,
  /** https://aws.amazon.com/waf/pricing/ a web ACL, and a rule in it. */
  webAcl: 5,
  webAclRule: 1,
  /** https://aws.amazon.com/cloudwatch/pricing/ an alarm on one metric, one on other alarms, and a dashboard. */
  alarm: 0.1,
  compositeAlarm: 0.5,
  dashboard: 3,
  /** The same page: a metric of one's own, by the hours in which it is written. */
  customMetric: 0.3,
} as const;

/** KMS charges only for the first rotations. */
export const PAID_ROTATIONS = 2;

/** Lambda polls an empty queue with five long polls of 20 seconds: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export const IDLE_POLLS_A_MONTH = 5 * 3 * 60 * 24 * 30;

/** What can't be measured on one machine. The same for everything that is compared. */
export const ASSUMPTIONS = {
  memoryGigabytes: 1,
  /** Lambda's share of a processor at 1,024 MB; a whole one comes with 1,769 MB. */
  processorShare: 1_024 / 1_769,
  dynamoDbMilliseconds: 4,
  sqsMilliseconds: 8,
  /** Leads per batch of a background function: at most 100 from the stream, 10 from the queue. */
  leadsPerBatch: 10,
  /** Duration of such a batch. Enrichment waits for DNS. The index makes four calls per lead, one after the other. */
  batchMilliseconds: { relay: 15, announcement: 15, statistics: 20, enrichment: 150, index: 50 },
  /** Lambda's own lines about an invocation, and API Gateway's access log line, with 26 bytes for each event. */
  platformLogBytes: 700,
  accessLogBytes: 520,
  /** More than the largest file of the console, uncompressed. */
  consoleFileBytes: 700_000,
  /** X-Ray's default rule. */
  tracedShare: 0.05,
} as const;

/** CloudWatch bills these for each event besides its text. */
export const LOG_EVENT_BYTES = 26;

/** What one accepted lead uses on AWS. */
export interface Usage {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sqsRequests: number;
  readonly invocations: number;
  readonly milliseconds: number;
  readonly logBytes: number;
}

/** US dollars per million requests, by service, for what does not depend on the function. */
export function gatewayDollars(): Record<string, number> {
  return perMillion({
    'API Gateway': PRICES.restRequest,
    WAF: PRICES.webAclRequest,
    'CloudWatch Logs': ASSUMPTIONS.accessLogBytes * PRICES.logByte,
  });
}

/** US dollars per million leads, by service, for what functions use. */
export function functionDollars(usage: Usage): Record<string, number> {
  return perMillion({
    Lambda:
      usage.invocations * PRICES.lambdaRequest +
      (usage.milliseconds / 1_000) * ASSUMPTIONS.memoryGigabytes * PRICES.lambdaGigabyteSecond,
    DynamoDB: usage.writeUnits * PRICES.writeUnit + usage.readUnits * PRICES.readUnit,
    SQS: usage.sqsRequests * PRICES.sqsRequest,
    'CloudWatch Logs': usage.logBytes * PRICES.logByte,
    'X-Ray': usage.invocations * ASSUMPTIONS.tracedShare * PRICES.trace,
  });
}

/** US dollars per million leads that come in through the gateway, by service. */
export function dollarsPerMillion(usage: Usage): Record<string, number> {
  const [gateway, functions] = [gatewayDollars(), functionDollars(usage)];
  return Object.fromEntries(
    ['API Gateway', 'WAF', ...Object.keys(functions)].map((service) => [
      service,
      (gateway[service] ?? 0) + (functions[service] ?? 0),
    ]),
  );
}

function perMillion(each: Readonly<Record<string, number>>): Record<string, number> {
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
      of.callsInSequence * ASSUMPTIONS.dynamoDbMilliseconds +
      of.sqsRequests * ASSUMPTIONS.sqsMilliseconds +
      of.cpuMilliseconds / ASSUMPTIONS.processorShare,
    logBytes: of.logBytes + ASSUMPTIONS.platformLogBytes,
  };
}

/** The functions that work on every clean lead, besides those that forward it. */
export const BACKGROUND_FUNCTIONS = ['relay', 'enrichment', 'statistics', 'index'] as const;

/** The relay runs once more for the enrichment, which it announces to destinations only. */
export type BackgroundWork = (typeof BACKGROUND_FUNCTIONS)[number] | 'announcement';

/** What a function uses for one clean lead. */
export interface FunctionUse {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly dynamoDbCalls: number;
  /** Sent by the function itself, and received and deleted by Lambda for it. */
  readonly sqsRequests: number;
  readonly invocations: number;
  /** Of the function's own lines, as CloudWatch bills them. */
  readonly logBytes: number;
}

/** A background function, for one lead of its batch. */
export function working(on: BackgroundWork, use: FunctionUse): Usage {
  return {
    ...use,
    milliseconds: use.invocations * ASSUMPTIONS.batchMilliseconds[on],
    logBytes: use.logBytes + use.invocations * ASSUMPTIONS.platformLogBytes,
  };
}

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
  const dispatchMilliseconds = ASSUMPTIONS.dynamoDbMilliseconds + ASSUMPTIONS.sqsMilliseconds;
  const sendMilliseconds =
    2 * ASSUMPTIONS.dynamoDbMilliseconds +
    receiverMilliseconds +
    (batch * processorMilliseconds) / ASSUMPTIONS.processorShare;
  const milliseconds = batches.dispatch * dispatchMilliseconds + batches.send * sendMilliseconds;
  // The relay sends, and both queues are received from and deleted from, ten at a time.
  const sqsRequests = batches.dispatch + queueCalls + 2 * invocations;
  return {
    Lambda:
      invocations * PRICES.lambdaRequest +
      (milliseconds / 1_000) * ASSUMPTIONS.memoryGigabytes * PRICES.lambdaGigabyteSecond,
    DynamoDB: readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit,
    SQS: sqsRequests * PRICES.sqsRequest,
    'CloudWatch Logs': (logBytes + invocations * ASSUMPTIONS.platformLogBytes) * PRICES.logByte,
    'X-Ray': invocations * ASSUMPTIONS.tracedShare * PRICES.trace,
  };
}
