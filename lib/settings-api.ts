import { Aws, Duration } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnApi,
  type CfnStage,
  HttpApi,
  type HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import {
  ACTIVITY_METRICS,
  INDEXES,
  METRICS,
  OWNER_METRICS,
  SENDING_VARIABLES,
  SETTINGS_VARIABLES,
} from '../lambdas/contract.ts';
import { ROUTES, type Route, type ServedBy } from '../lambdas/owner-api/route-table.ts';
import type { Access } from './access.ts';
import { AccessLogGroup } from './access-log-group.ts';
import { integrate } from './lambda-integration.ts';
import type { Learning } from './learning.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import type { Search } from './search.ts';
import type { Sending } from './sending.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import { grantReviewLeads } from './tables/review-grants.ts';
import type { Tables } from './tables.ts';
import type { Throttle } from './throttles.ts';

export interface SettingsApiProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly access: Access;
  /** Where senders reach the service, to be shown to owners. */
  readonly ingestUrl: string;
  readonly sourcesUrl: string;
  /** What test messages and replays are put on. */
  readonly sending: Sending;
  readonly search: Search;
  readonly learning: Learning;
  readonly relayName: string;
  readonly mailFrom: string | undefined;
  readonly throttle: Throttle;
}

/** Like the ingest API's log: no personal data. It has the route instead of the path, which contains ids. */
const ACCESS_LOG_FORMAT = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    requestTimeEpoch: '$context.requestTimeEpoch',
    routeKey: '$context.routeKey',
    protocol: '$context.protocol',
    status: '$context.status',
    responseLength: '$context.responseLength',
    responseLatency: '$context.responseLatency',
    errorResponseType: '$context.error.responseType',
    integrationStatus: '$context.integration.status',
    integrationLatency: '$context.integration.latency',
  }),
);

/**
 * The API for owners. Every route asks the authorizer who sends the request, except the console's session and the links in
 * mails.
 */
export class SettingsApi extends Construct {
  readonly api: HttpApi;
  private readonly stage: Stage;
  private readonly deployed: HttpStage;

  constructor(scope: Construct, id: string, props: SettingsApiProps) {
    super(scope, id);
    this.stage = props.stage;
    this.api = new HttpApi(this, 'Api', {
      apiName: `lead-ingest-settings-${props.stage.name}`,
      description: `Settings of workspaces, for their owners (${props.stage.name})`,
      createDefaultStage: false,
    });
    // The API's id is part of the URL that owners and the console know.
    (this.api.node.defaultChild as CfnApi).overrideLogicalId('SettingsApi');
    this.deployed = this.makeStage(props);
    this.addRoutes(props);
  }

  /** Without a trailing slash. Every path on it begins with `/settings`. */
  get url(): string {
    return `https://${this.domainName}`;
  }

  get domainName(): string {
    return `${this.api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  }

  /** A route without authorizer: the function itself decides who may call it. */
  addOpenRoute(path: string, methods: readonly HttpMethod[], fn: ServiceFunction, throttle?: Throttle) {
    const routes = this.api.addRoutes({ path, methods: [...methods], integration: integrate(fn.name, fn) });
    if (!throttle) return routes;
    const stage = this.deployed.node.defaultChild as CfnStage;
    for (const method of methods) {
      stage.addPropertyOverride(`RouteSettings.${method} ${path}`, {
        ThrottlingRateLimit: throttle.rateLimit,
        ThrottlingBurstLimit: throttle.burstLimit,
      });
    }
    // API Gateway refuses settings of a route that does not exist yet.
    stage.node.addDependency(...routes);
    return routes;
  }

  /** Responses with 5xx, from the functions or from API Gateway. Unlike on the ingest API, they are not hidden. */
  metricServerErrors(options?: MetricOptions): Metric {
    return this.api.metricServerError({ statistic: 'Sum', ...options });
  }

  metricRequests(area: ServedBy, options?: MetricOptions): Metric {
    return this.metricOf(OWNER_METRICS.requests, area, { statistic: 'Sum', ...options });
  }

  metricFailures(area: ServedBy, options?: MetricOptions): Metric {
    return this.metricOf(OWNER_METRICS.failures, area, { statistic: 'Sum', ...options });
  }

  metricLatency(area: ServedBy, options?: MetricOptions): Metric {
    return this.metricOf(METRICS.latencyMilliseconds, area, { statistic: 'p99', ...options });
  }

  /** Changes that are not in the activity log. */
  metricActivityLost(options?: MetricOptions): Metric {
    return serviceMetric(this.stage, ACTIVITY_METRICS.lost, {}, { statistic: 'Sum', ...options });
  }

  private metricOf(name: string, area: ServedBy, options: MetricOptions): Metric {
    return serviceMetric(this.stage, name, { area }, options);
  }

  private makeStage({ stage, throttle }: SettingsApiProps): HttpStage {
    const accessLogs = new AccessLogGroup(this, 'AccessLogs', stage);
    return new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      // Far above what people at a console need: an HTTP API can have no web ACL, and at a low limit a stranger with a
      // script would shut out every owner. A request that the authorizer refuses reaches no other function.
      throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: ACCESS_LOG_FORMAT,
      },
    });
  }

  private addRoutes(props: SettingsApiProps): void {
    const functions: Record<ServedBy, ServiceFunction> = {
      settings: this.makeSettings(props),
      diagnostics: this.makeDiagnostics(props),
      members: props.access.members,
    };
    const authorizer = new HttpLambdaAuthorizer('Authorizer', props.access.authorizer.target, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      // A removed member and a revoked key are refused at the next request.
      resultsCacheTtl: Duration.seconds(0),
    });
    for (const [servedBy, fn] of Object.entries(functions)) {
      const integration = integrate(servedBy, fn);
      const served = Object.values<Route>(ROUTES).filter((route) => route.servedBy === servedBy);
      for (const path of new Set(served.map((route) => route.path))) {
        const routes = served.filter((route) => route.path === path);
        const methods = routes.map(({ method }) => method as HttpMethod);
        this.api.addRoutes({ path, methods, integration, authorizer });
      }
    }
  }

  private makeSettings({
    stage,
    tables,
    ingestUrl,
    sourcesUrl,
    sending,
    search,
    learning,
    relayName,
    mailFrom,
  }: SettingsApiProps): ServiceFunction {
    const settings = new ServiceFunction(this, 'Settings', {
      stage,
      folder: 'settings',
      description:
        "The owner's API: forms, secrets, tokens, leads, destinations, alerts, stats, API keys and activity",
      // A page of an export reads up to 4 MB of leads.
      timeout: Duration.seconds(25),
    });
    tables.grantKeepConfiguration(settings);
    tables.grantKeepSecrets(settings);
    tables.grantReadAndEraseLeads(settings);
    grantReviewLeads(tables, settings);
    // A review does not block the addresses of the workspace's own people.
    tables.grant(settings, 'members', ['Query']);
    tables.grantReadStats(settings);
    tables.grantReadLastUse(settings);
    grantKeepDestinations(settings, tables);
    tables.grant(settings, 'alerts', ['Query', 'GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem']);
    tables.grant(settings, 'apiKeys', ['GetItem', 'PutItem', 'UpdateItem']);
    tables.grantQueryIndex(settings, 'apiKeys', INDEXES.apiKeysByWorkspace);
    tables.grant(settings, 'activity', ['PutItem', 'Query']);
    sending.grantQueueTasks(settings);
    search.grantSearch(settings, tables);
    learning.grantAsk(settings);
    if (mailFrom !== undefined) settings.setVariable(SENDING_VARIABLES.mailFrom, mailFrom);
    settings.setVariable(SETTINGS_VARIABLES.ingestUrl, ingestUrl);
    settings.setVariable(SETTINGS_VARIABLES.sourcesUrl, sourcesUrl);
    settings.setVariable(SETTINGS_VARIABLES.relayName, relayName);
    return settings;
  }

  private makeDiagnostics({ stage, tables }: SettingsApiProps): ServiceFunction {
    const diagnostics = new ServiceFunction(this, 'Diagnostics', {
      stage,
      folder: 'diagnostics',
      description: "The owner's API: rejections, counted and one by one",
    });
    tables.grantReadDiagnostics(diagnostics);
    return diagnostics;
  }
}

/** Makes and changes destinations. It writes their secrets and cannot read them, not even in the response to a write. */
function grantKeepDestinations(settings: ServiceFunction, tables: Tables): void {
  const condition = { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } };
  tables.grant(settings, 'destinations', ['GetItem', 'Query', 'PutItem', 'DeleteItem']);
  tables.grant(settings, 'destinationSecrets', ['PutItem', 'UpdateItem', 'DeleteItem'], condition);
  settings.allow(tables.secretsKeyStatement('write', 'destinationSecrets'));
  tables.grant(settings, 'messages', ['BatchGetItem', 'Query']);
  tables.grantQueryIndex(settings, 'messages', INDEXES.messagesByDueTime);
}
