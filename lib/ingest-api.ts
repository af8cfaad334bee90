import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  type Method,
  ResponseType,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type AnySurface, METRICS, OPAQUE_REJECTION, type Reason } from '../lambdas/contract.ts';
import { AccessLogGroup } from './access-log-group.ts';
import type { IngestCeilings, OwnDomain } from './context.ts';
import { IngestDomain } from './custom-domain.ts';
import { IngestFirewall } from './firewall.ts';
import { ACCESS_LOG_FORMAT, GatewayResponses } from './ingest-api/gateway-responses.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import { methodOptions, type Throttles } from './throttles.ts';

export interface IngestApiProps {
  readonly stage: Stage;
  readonly manageApiGatewayAccount: boolean;
  readonly server: ServiceFunction;
  readonly webhook: ServiceFunction;
  readonly retired: ServiceFunction;
  readonly browser: { readonly mint: ServiceFunction; readonly submission: ServiceFunction };
  /** The limits of the web ACL. Undefined if there is none. */
  readonly ceilings: IngestCeilings | undefined;
  readonly throttles: Throttles;
  readonly domain: OwnDomain | undefined;
}

type Outcome = 'accepted' | 'replayed' | 'rejected';

/** The public API: routes for leads and for pages, one retired route, and one response to everything else. */
export class IngestApi extends Construct {
  /** What the custom domain must point to, if its DNS record is made elsewhere. */
  readonly domainTarget: string | undefined;
  private readonly stage: Stage;
  private readonly api: RestApi;
  private readonly gatewayResponses: GatewayResponses;
  private readonly firewall: IngestFirewall | undefined;
  private readonly domain: OwnDomain | undefined;

  constructor(scope: Construct, id: string, props: IngestApiProps) {
    super(scope, id);
    this.stage = props.stage;
    const accessLogs = new AccessLogGroup(this, 'AccessLogs', props.stage);
    this.api = this.makeApi(props, accessLogs);
    this.gatewayResponses = new GatewayResponses(this, 'GatewayAnswers', { stage: props.stage, accessLogs });
    this.addRoutes(props);
    this.hideGatewayErrors();
    this.keepExecutionLogsFor(props.stage);
    this.firewall = this.guard(props);
    this.domain = props.domain;
    this.domainTarget = this.nameIt();
  }

  /** `{base_url}`: the custom domain or the stage's URL, without a trailing slash. */
  get url(): string {
    if (this.domain) return `https://${this.domain.name}`;
    const { restApiId, deploymentStage } = this.api;
    return `https://${restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${deploymentStage.stageName}`;
  }

  /** Submissions by outcome. */
  metricOutcome(outcome: Outcome, surface: AnySurface, options?: MetricOptions): Metric {
    return this.metricOf(METRICS[outcome], { surface }, { statistic: 'Sum', ...options });
  }

  metricRejectedFor(reason: Reason, surface: AnySurface, options?: MetricOptions): Metric {
    return this.metricOf(METRICS.rejected, { surface, reason }, { statistic: 'Sum', ...options });
  }

  /** Time in the function, from the event to the response. */
  metricLatency(surface: AnySurface, options?: MetricOptions): Metric {
    return this.metricOf(METRICS.latencyMilliseconds, { surface }, { statistic: 'p99', ...options });
  }

  metricDiagnosticsDropped(surface: AnySurface, options?: MetricOptions): Metric {
    return this.metricOf(METRICS.diagnosticsDropped, { surface }, { statistic: 'Sum', ...options });
  }

  /** Time from the first byte of the request to the last byte of the response, including cold starts. */
  metricGatewayLatency(options?: MetricOptions): Metric {
    return this.api.metricLatency({ statistic: 'p99', ...options });
  }

  metricRequests(options?: MetricOptions): Metric {
    return this.api.metricCount({ statistic: 'Sum', ...options });
  }

  /** Requests that no function received or responded to. */
  metricGatewayResponses(options?: MetricOptions): Metric {
    return this.gatewayResponses.metric({ statistic: 'Sum', ...options });
  }

  /** Undefined if there is no web ACL. */
  metricBlocked(options?: MetricOptions): Metric | undefined {
    return this.firewall?.metricBlocked(options);
  }

  private metricOf(name: string, dimensions: Record<string, string>, options: MetricOptions): Metric {
    return serviceMetric(this.stage, name, dimensions, options);
  }

  private makeApi(
    { stage, manageApiGatewayAccount, throttles }: IngestApiProps,
    accessLogs: LogGroup,
  ): RestApi {
    const api = new RestApi(this, 'Api', {
      restApiName: `lead-ingest-${stage.name}`,
      description: `Takes leads from backends and webhook providers (${stage.name})`,
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // Every body reaches the functions as the bytes that were sent, which is what a signature covers.
      binaryMediaTypes: ['*/*'],
      // One role for all REST APIs of an account and region. Kept when this stack is deleted, because others may use it.
      cloudWatchRole: manageApiGatewayAccount,
      cloudWatchRoleRemovalPolicy: manageApiGatewayAccount ? RemovalPolicy.RETAIN : undefined,
      deployOptions: {
        stageName: stage.name,
        // Its segments would contain the sender's address. The functions trace their own work.
        tracingEnabled: false,
        ...methodOptions(throttles),
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: ACCESS_LOG_FORMAT,
      },
    });
    // CDK's own output; the stack's outputs are those that contract.ts names.
    api.node.tryRemoveChild('Endpoint');
    const resource = api.node.defaultChild as CfnRestApi;
    // The API's id is part of every sender's URL, so it must not change when this construct moves.
    resource.overrideLogicalId('IngestApi');
    // TLS 1.2 at least. A regional endpoint without a policy still accepts TLS 1.0.
    resource.securityPolicy = SecurityPolicy.TLS13_1_2_PQ_2025_09;
    resource.endpointAccessMode = EndpointAccessMode.STRICT;
    acknowledgeApi(api);
    return api;
  }

  private guard({ stage, ceilings }: IngestApiProps): IngestFirewall | undefined {
    const { deploymentStage } = this.api;
    if (ceilings) {
      const name = `lead-ingest-${stage.name}`;
      return new IngestFirewall(this, 'Firewall', { name, apiStage: deploymentStage, ceilings });
    }
    Validations.of(deploymentStage).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason:
        'By context ingestFirewall, on in prod: it costs by the month. API Gateway throttles, the gate limits.',
    });
    return undefined;
  }

  private nameIt(): string | undefined {
    if (!this.domain) return undefined;
    const { target } = new IngestDomain(this, 'Domain', { api: this.api, domain: this.domain });
    return this.domain.hostedZone ? undefined : target;
  }

  private addRoutes({ server, webhook, retired, browser }: IngestApiProps): void {
    const api = this.api.root.addResource('api');
    const v1 = api.addResource('v1');
    const ingest = v1.addResource('ingest');
    addRoute(ingest, 'POST', server);
    addRoute(ingest.addResource('{slug}'), 'POST', webhook);
    addRoute(api.addResource('ingest').addResource('{slug}'), 'ANY', retired);
    const pages = v1.addResource('browser');
    const [token, submissions] = [pages.addResource('token'), pages.addResource('submissions')];
    addRoute(token, 'POST', browser.mint);
    addRoute(submissions, 'POST', browser.submission);
    // Preflight requests. By a function, because a mock integration fails on some content types.
    for (const resource of [token, submissions]) addRoute(resource, 'OPTIONS', browser.mint);
  }

  /**
   * What API Gateway returns by itself (no such route, throttled, timed out) looks like any rejection. With one
   * template only, no Accept header can choose another content type.
   */
  private hideGatewayErrors(): void {
    const types = {
      Default4xx: ResponseType.DEFAULT_4XX,
      Default5xx: ResponseType.DEFAULT_5XX,
      // By name, since it is not documented to fall back to DEFAULT_4XX. It still has no effect above 10 MB.
      RequestTooLarge: ResponseType.REQUEST_TOO_LARGE,
    };
    for (const [id, type] of Object.entries(types)) {
      this.api.addGatewayResponse(id, {
        type,
        statusCode: String(OPAQUE_REJECTION.statusCode),
        templates: { [OPAQUE_REJECTION.contentType]: OPAQUE_REJECTION.body },
      });
    }
  }

  /** API Gateway would create this group itself, without an expiry. */
  private keepExecutionLogsFor(stage: Stage): void {
    const executionLogs = new LogGroup(this, 'ExecutionLogs', {
      logGroupName: `API-Gateway-Execution-Logs_${this.api.restApiId}/${stage.name}`,
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    this.api.deploymentStage.node.addDependency(executionLogs);
  }
}

function addRoute(resource: IResource, httpMethod: string, handler: ServiceFunction): void {
  const integration = new LambdaIntegration(handler.target, {
    // Longer than a function may run, so that its own timeout ends a request.
    timeout: Duration.seconds(29),
    allowTestInvoke: false,
  });
  acknowledgeMethod(resource.addMethod(httpMethod, integration));
}

function acknowledgeApi(api: RestApi): void {
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-APIG2',
      reason: 'A lead has no schema, and the functions must see what they reject, to record the reason.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'The role serves every REST API of the account, for which AWS documents this policy.',
    },
  );
}

function acknowledgeMethod(method: Method): void {
  Validations.of(method).acknowledge(
    {
      id: 'AwsSolutions-APIG4',
      reason:
        'The functions check token and signature: an authorizer sees no body, and its answers tell tales.',
    },
    {
      id: 'AwsSolutions-COG4',
      reason: 'The senders are servers with tokens and signatures, not signed-in users.',
    },
  );
}
