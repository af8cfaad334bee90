import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type Metric, type MetricOptions, Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { GATEWAY_METRICS } from '../../lambdas/contract.ts';
import { metricsNamespace, serviceMetric } from '../monitoring/service-metric.ts';
import type { Stage } from '../stage.ts';

/**
 * One line per request, for latency, errors and alarms: what happened, never who sent what. No address, header, body or
 * query; the route (`resourcePath`) instead of the path, which contains the slug.
 */
export const ACCESS_LOG_FORMAT = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    extendedRequestId: AccessLogField.contextExtendedRequestId(),
    requestTimeEpoch: AccessLogField.contextRequestTimeEpoch(),
    httpMethod: AccessLogField.contextHttpMethod(),
    resourcePath: AccessLogField.contextResourcePath(),
    protocol: AccessLogField.contextProtocol(),
    status: AccessLogField.contextStatus(),
    responseLength: AccessLogField.contextResponseLength(),
    responseLatency: AccessLogField.contextResponseLatency(),
    // Gateway responses turn every error into 200: only these still distinguish them. The integration's error message
    // is left out: it can repeat the text of an uncaught error.
    errorResponseType: AccessLogField.contextErrorResponseType(),
    integrationStatus: AccessLogField.contextIntegrationStatus(),
    integrationLatency: AccessLogField.contextIntegrationLatency(),
  }),
);

export interface GatewayResponsesProps {
  readonly stage: Stage;
  /** Written in the format above: every value is text, and `-` means none. */
  readonly accessLogs: ILogGroup;
}

/**
 * No error, or one that anybody can cause by requesting an unknown path: API Gateway takes the Authorization header of
 * such a request for an AWS signature, so there are several. WAF counts what the web ACL blocks.
 */
const IGNORED_ERRORS = [
  '-',
  'MISSING_AUTHENTICATION_TOKEN',
  'RESOURCE_NOT_FOUND',
  'INVALID_SIGNATURE',
  'EXPIRED_TOKEN',
  'ACCESS_DENIED',
  'WAF_FILTERED',
];

/**
 * Counts requests to which API Gateway responded instead of a function. Its own metrics do not show them, because
 * gateway responses turn every error into a 200. All errors but those above count, and so do Lambda's refusals, whose status is
 * the integration's: a function's own status there is always 200.
 */
export class GatewayResponses extends Construct {
  private readonly stage: Stage;

  constructor(scope: Construct, id: string, { stage, accessLogs }: GatewayResponsesProps) {
    super(scope, id);
    this.stage = stage;
    new MetricFilter(this, 'Filter', {
      logGroup: accessLogs,
      filterPattern: FilterPattern.any(
        FilterPattern.all(
          ...IGNORED_ERRORS.map((type) => FilterPattern.stringValue('$.errorResponseType', '!=', type)),
        ),
        FilterPattern.stringValue('$.integrationStatus', '=', '4*'),
        FilterPattern.stringValue('$.integrationStatus', '=', '5*'),
      ),
      metricNamespace: metricsNamespace(stage),
      metricName: GATEWAY_METRICS.responses,
      metricValue: '1',
      unit: Unit.COUNT,
    });
  }

  metric(options: MetricOptions): Metric {
    return serviceMetric(this.stage, GATEWAY_METRICS.responses, {}, options);
  }
}
