import { Duration } from 'aws-cdk-lib';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ServiceFunction } from './service-function.ts';

/** A function as the target of an HTTP API's routes. */
export function integrate(id: string, fn: ServiceFunction): HttpLambdaIntegration {
  return new HttpLambdaIntegration(id, fn.target, {
    // Longer than a function may run, so that its own timeout ends a request.
    timeout: Duration.seconds(29),
    // One permission for the API: docs/decisions/0020-one-lambda-permission-per-function.md
    scopePermissionToRoute: false,
  });
}
