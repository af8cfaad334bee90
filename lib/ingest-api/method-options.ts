import {
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { Throttle, Throttles } from '../throttles.ts';

/** The settings of each method: its throttle, and what API Gateway logs. */
export function methodOptions({ server, webhook, retired }: Throttles): StageOptions {
  return {
    // Applies to methods that are not listed below: the retired path, whose ANY method cannot be listed.
    ...throttled(retired),
    methodOptions: {
      '/api/v1/ingest/POST': throttled(server),
      '/api/v1/ingest/{slug}/POST': throttled(webhook),
    },
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
