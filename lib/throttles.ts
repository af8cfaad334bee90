import {
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';

/** API Gateway's token bucket: requests per second, and burst. */
export interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

export interface Throttles {
  readonly server: Throttle;
  readonly webhook: Throttle;
  readonly sources: Throttle;
  readonly retired: Throttle;
  readonly browser: Throttle;
  readonly owners: Throttle;
  readonly mailLinks: Throttle;
}

/**
 * Shares of the account's quota for all APIs. They add up to less than 1: a flood that gets past the web ACL uses up
 * its own API's share, but not that of the other surface or of the owners.
 */
const SHARES = {
  server: 0.4,
  webhook: 0.4,
  sources: 0.025,
  retired: 0.005,
  browser: 0.01,
  owners: 0.1,
  mailLinks: 0.004,
} as const;

/** Most pages send a preflight request first, to each route. */
export const BROWSER_METHODS = ['token/POST', 'token/OPTIONS', 'submissions/POST', 'submissions/OPTIONS'];

/** For server tokens, and for providers. */
export const SOURCE_PATHS = ['/sources/v1', '/sources/v1/{slug}'];

/** AWS gives an account a burst of half its rate: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const BURST_OF_RATE = 0.5;

export function splitThrottles(requestsPerSecond: number): Throttles {
  const share = (part: keyof Throttles): Throttle => {
    const rateLimit = Math.max(1, Math.floor(SHARES[part] * requestsPerSecond));
    return { rateLimit, burstLimit: Math.max(1, Math.floor(BURST_OF_RATE * rateLimit)) };
  };
  return {
    server: share('server'),
    webhook: share('webhook'),
    sources: share('sources'),
    retired: share('retired'),
    browser: share('browser'),
    owners: share('owners'),
    mailLinks: share('mailLinks'),
  };
}

/** The settings of each method: its throttle, and what API Gateway logs. */
export function methodOptions({ server, webhook, retired, browser }: Throttles): StageOptions {
  return {
    // Applies to methods that are not listed below: the retired path, whose ANY method cannot be listed.
    ...throttled(retired),
    methodOptions: {
      '/api/v1/ingest/POST': throttled(server),
      '/api/v1/ingest/{slug}/POST': throttled(webhook),
      ...Object.fromEntries(
        BROWSER_METHODS.map((method) => [`/api/v1/browser/${method}`, throttled(browser)] as const),
      ),
    },
  };
}

/** The same for Surface 1c, whose two routes have a share each. */
export function sourceMethodOptions({ sources }: Throttles): StageOptions {
  return {
    ...throttled(sources),
    methodOptions: Object.fromEntries(
      SOURCE_PATHS.map((path) => [`${path}/POST`, throttled(sources)] as const),
    ),
  };
}

/** Includes logging, because a method with its own settings inherits none from the stage. */
function throttled({ rateLimit, burstLimit }: Throttle): MethodDeploymentOptions {
  return {
    throttlingRateLimit: rateLimit,
    throttlingBurstLimit: burstLimit,
    loggingLevel: MethodLoggingLevel.ERROR,
    // Would log headers and bodies, including credentials and leads.
    dataTraceEnabled: false,
  };
}
