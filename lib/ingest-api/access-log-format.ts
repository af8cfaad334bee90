import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * One line a request, for latency, errors and alarms: what happened, never who sent what. No address, header, body or
 * query; the route (`resourcePath`) rather than the path, which holds the slug.
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
    // Gateway responses turn every error into 200: only these still tell them apart. The integration's error message
    // is left out: it can repeat the text of an uncaught error.
    errorResponseType: AccessLogField.contextErrorResponseType(),
    integrationStatus: AccessLogField.contextIntegrationStatus(),
    integrationLatency: AccessLogField.contextIntegrationLatency(),
  }),
);
