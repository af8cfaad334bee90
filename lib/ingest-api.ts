import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct, type IDependable } from 'constructs';
import { type AnySurface, METRICS, OPAQUE_REJECTION, type Reason } from '../lambdas/contract.ts';
import { AccessLogGroup } from './access-log-group.ts';
import { IngestDomain } from './custom-domain.ts';
import { IngestFirewall } from './firewall.ts';
import { GatewayResponses } from './ingest-api/gateway-responses.ts';
import {
  acknowledgeNoFirewall,
  addRoute,
  makeOpaqueRestApi,
  stageUrl,
} from './ingest-api/opaque-rest-api.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import type { ServiceFunction } from './service-function.ts';
import type { IngestCeilings, OwnDomain } from './settings.ts';
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
  /** Undefined if there is no custom domain. */
  readonly domain: IngestDomain | undefined;
  private readonly stage: Stage;
  readonly api: RestApi;
  private readonly gatewayResponses: GatewayResponses;
  readonly firewall: IngestFirewall | undefined;

  constructor(scope: Construct, id: string, props: IngestApiProps) {
    super(scope, id);
    this.stage = props.stage;
    const accessLogs = new AccessLogGroup(this, 'AccessLogs', props.stage);
    this.api = this.makeApi(props, accessLogs);
    this.gatewayResponses = new GatewayResponses(this, 'GatewayAnswers', { stage: props.stage, accessLogs });
    this.addRoutes(props);
    this.firewall = this.guard(props);
    this.domain = this.nameIt(props.domain);
  }

  /** `{base_url}`: the custom domain or the stage's URL, without a trailing slash. */
  get url(): string {
    return this.domain?.url ?? stageUrl(this.api);
  }

  /** The account's role for logs, without which no other API can log. Undefined if it is made elsewhere. */
  get logRole(): IDependable | undefined {
    return this.api.node.tryFindChild('Account');
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
    return makeOpaqueRestApi(this, {
      stage,
      name: `lead-ingest-${stage.name}`,
      description: `Takes leads from backends and webhook providers (${stage.name})`,
      logicalId: 'IngestApi',
      accessLogs,
      makesLogRole: manageApiGatewayAccount,
      methods: methodOptions(throttles),
      rejection: OPAQUE_REJECTION,
    });
  }

  private guard({ stage, ceilings }: IngestApiProps): IngestFirewall | undefined {
    const { deploymentStage } = this.api;
    if (ceilings) {
      const name = `lead-ingest-${stage.name}`;
      return new IngestFirewall(this, 'Firewall', { name, apiStage: deploymentStage, ceilings });
    }
    acknowledgeNoFirewall(this.api);
    return undefined;
  }

  private nameIt(domain: OwnDomain | undefined): IngestDomain | undefined {
    return domain && new IngestDomain(this, 'Domain', { api: this.api, domain });
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
}
