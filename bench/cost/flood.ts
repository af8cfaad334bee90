import { App } from 'aws-cdk-lib';
import { readSettings } from '../../lib/context.ts';
import type { Settings } from '../../lib/settings.ts';
import { splitThrottles } from '../../lib/throttles.ts';
import { ASSUMPTIONS as A, dollarsPerMillion, PRICES as P, totalOf } from './prices.ts';

/** What an unauthenticated submission uses on AWS until it is rejected and recorded. */
export const REJECTION = {
  /** Responses are sent on a tick, so that their timing reveals nothing. */
  milliseconds: 40,
  /** Token or slug, form, secret and workspace are looked up, whether they exist or not. */
  readUnits: 3,
  /** In UnauthenticatedRejections. */
  recordUnits: 1,
  /** In Diagnostics, written by the recorder from 40 records per batch. */
  diagnosticsUnits: 0.2,
  recorderMilliseconds: 1,
  logBytes: 600,
} as const;

/** What the authorizer of the settings API uses until it refuses a credential that nobody issued. */
export const REFUSAL = {
  /** Checking a signature or looking up a hash. Without an `Authorization` header the authorizer is not asked. */
  milliseconds: 10,
  /** One lookup, consistent: a token whose signature is wrong is refused without any. */
  readUnits: 1,
  logBytes: 150,
} as const;

export interface Flood {
  readonly target: string;
  /** Dollars per second at this rate. */
  readonly dollars: (requestsPerSecond: number) => number;
  readonly stoppedBy: (requestsPerSecond: number) => string;
}

/** Floods of a prod stack with default settings in us-east-1. */
export function floods(): Flood[] {
  const { ingestCeilings, consoleFirewall, apiRequestsPerSecond } = prodSettings();
  const { server, owners } = splitThrottles(apiRequestsPerSecond);
  const fromOneAddress = ingestCeilings.byAddress / 60;
  const ofConsole = consoleFirewall.requestsPerMinuteByAddress / 60;
  return [
    {
      target: 'ingest, from one address',
      dollars: (n) => upTo(fromOneAddress, n) * rejected() + above(fromOneAddress, n) * blocked(),
      stoppedBy: (n) => (n > fromOneAddress ? `the web ACL, at ${fixed(fromOneAddress)}/s` : NOTHING),
    },
    {
      target: 'ingest, one surface, from many addresses',
      dollars: (n) => upTo(server.rateLimit, n) * rejected() + above(server.rateLimit, n) * throttled(),
      stoppedBy: (n) =>
        n > server.rateLimit
          ? `the throttle of that surface, at ${fixed(server.rateLimit)}/s: legitimate senders must retry`
          : `nothing; it uses ${fixed(runningAt(n))} of Lambda's concurrency`,
    },
    {
      target: 'the settings API, at its own address',
      dollars: (n) => upTo(owners.rateLimit, n) * unauthorized() + above(owners.rateLimit, n) * logged(),
      stoppedBy: (n) =>
        n > owners.rateLimit
          ? `its throttle, at ${fixed(owners.rateLimit)}/s: owners get \`429\` too; leads are accepted`
          : `nothing; it uses ${fixed(Math.ceil((n * REFUSAL.milliseconds) / 1_000))} of Lambda's concurrency`,
    },
    {
      target: 'the console, from one address',
      dollars: (n) =>
        upTo(ofConsole, n) * (fetched() + P.webAclRequest) + above(ofConsole, n) * P.webAclRequest,
      stoppedBy: (n) => (n > ofConsole ? `its web ACL, at ${fixed(ofConsole)}/s` : NOTHING),
    },
    {
      target: 'the console, from many addresses, or without its web ACL',
      dollars: (n) => n * (fetched() + P.webAclRequest),
      stoppedBy: () => 'nothing in this stack',
    },
  ];
}

const NOTHING = 'nothing: it is below every ceiling';

function prodSettings(): Settings {
  return readSettings(new App({ context: { stage: 'prod' } }).node);
}

const upTo = (limit: number, n: number) => Math.min(limit, n);
const above = (limit: number, n: number) => Math.max(0, n - limit);
const fixed = (n: number) => Math.round(n).toLocaleString('en');
const runningAt = (requestsPerSecond: number) =>
  Math.ceil((requestsPerSecond * REJECTION.milliseconds) / 1_000);

/** Reaches a function, and is recorded. */
function rejected(): number {
  const perMillion = dollarsPerMillion({
    writeUnits: REJECTION.recordUnits + REJECTION.diagnosticsUnits,
    readUnits: REJECTION.readUnits,
    sqsRequests: 0,
    invocations: 1,
    milliseconds: REJECTION.milliseconds + REJECTION.recorderMilliseconds,
    logBytes: REJECTION.logBytes + A.platformLogBytes,
  });
  return totalOf(perMillion) / 1e6;
}

/** AWS does not say whether API Gateway charges for blocked requests: counted in full. */
const blocked = () => P.restRequest + P.webAclRequest + logged();

/** API Gateway does not charge for throttled requests. */
const throttled = () => P.webAclRequest + logged();

/** Reaches the authorizer and nothing else. */
function unauthorized(): number {
  const { memoryGigabytes, platformLogBytes } = A;
  const seconds = REFUSAL.milliseconds / 1_000;
  const authorizer = P.lambdaRequest + seconds * memoryGigabytes * P.lambdaGigabyteSecond;
  const logs = (REFUSAL.logBytes + platformLogBytes) * P.logByte;
  return P.httpRequest + authorizer + REFUSAL.readUnits * P.readUnit + logs + logged();
}

const logged = () => A.accessLogBytes * P.logByte;

const fetched = () => P.cloudFrontRequest + P.cloudFrontFunction + A.consoleFileBytes * P.cloudFrontByte;

const RATES = [10, 100, 1_000, 10_000];

/** The table in SECURITY.md. Two digits, because prices change. */
export function floodTable(): string {
  const rows = floods().flatMap(({ target, dollars, stoppedBy }) =>
    RATES.map((rate) => {
      const second = dollars(rate);
      const cells = [rate.toLocaleString('en'), rounded(second * 3_600), rounded(second * 86_400)];
      return `| ${target} | ${cells.join(' | ')} | ${stoppedBy(rate)} |`;
    }),
  );
  return [
    '| flood of | requests/s | $ per hour | $ per day | what stops it first |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function rounded(dollars: number): string {
  return Number(dollars.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 2 });
}
