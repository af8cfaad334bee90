import {
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { Throttle, Throttles } from '../throttles.ts';

/** The settings of each method: its throttle, and what API Gateway logs. */
export function methodOptions({ server, webhook, retired }: Throttles): StageOptions {
  return {
    // For each method that is not named below: the retired path's, which as ANY cannot be named.
    ...throttled(retired),
    methodOptions: {
      '/api/v1/ingest/POST': throttled(server),
      '/api/v1/ingest/{slug}/POST': throttled(webhook),
    },
  };
}

/** With logging: a method that has settings of its own takes none from the stage. */
function throttled({ rateLimit, burstLimit }: Throttle): MethodDeploymentOptions {
  return {
    throttlingRateLimit: rateLimit,
    throttlingBurstLimit: burstLimit,
    loggingLevel: MethodLoggingLevel.ERROR,
    // Would log headers and bodies, credentials and leads among them.
    dataTraceEnabled: false,
  };
}
