import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { REPEATABLE_REJECTION } from '../lambdas/contract.ts';
import { AccessLogGroup } from './access-log-group.ts';
import { GatewayResponses } from './ingest-api/gateway-responses.ts';
import {
  acknowledgeNoFirewall,
  addRoute,
  makeOpaqueRestApi,
  stageUrl,
} from './ingest-api/opaque-rest-api.ts';
import type { IngestApi } from './ingest-api.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';
import { SOURCE_PATHS, sourceMethodOptions, type Throttles } from './throttles.ts';

export interface SourcesApiProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Has the custom domain, the web ACL and the account's role for logs. */
  readonly ingestApi: IngestApi;
  readonly throttles: Throttles;
}

/** The path of Surface 1c below the custom domain, whose root is the ingest API's. */
const DOMAIN_PATH = 'in';

/**
 * Surface 1c: takes leads from providers that sign in their own way, and from tools that look only at the status. An API
 * of its own, because gateway responses belong to a whole API: a throttled provider must not get a 200.
 */
export class SourcesApi extends Construct {
  /** Without a trailing slash. */
  readonly url: string;
  readonly api: RestApi;

  constructor(scope: Construct, id: string, { stage, tables, ingestApi, throttles }: SourcesApiProps) {
    super(scope, id);
    const accessLogs = new AccessLogGroup(this, 'AccessLogs', stage);
    this.api = makeOpaqueRestApi(this, {
      stage,
      name: `lead-ingest-sources-${stage.name}`,
      description: `Takes leads from providers that sign in their own way (${stage.name})`,
      logicalId: 'SourcesApi',
      accessLogs,
      makesLogRole: false,
      methods: sourceMethodOptions(throttles),
      rejection: REPEATABLE_REJECTION,
    });
    const { deploymentStage } = this.api;
    if (ingestApi.logRole) deploymentStage.node.addDependency(ingestApi.logRole);
    // Its lines count in the same metric as those of the ingest API.
    new GatewayResponses(this, 'GatewayAnswers', { stage, accessLogs });
    const submission = this.makeFunction(stage, tables);
    for (const path of SOURCE_PATHS) addRoute(this.api.root.resourceForPath(path), 'POST', submission);
    if (ingestApi.firewall) ingestApi.firewall.guard('SourcesAssociation', deploymentStage);
    else acknowledgeNoFirewall(this.api);
    this.url = ingestApi.domain?.map(DOMAIN_PATH, this.api) ?? stageUrl(this.api);
  }

  /** Time from the first byte of the request to the last byte of the response, including cold starts. */
  metricGatewayLatency(options?: MetricOptions): Metric {
    return this.api.metricLatency({ statistic: 'p99', ...options });
  }

  metricRequests(options?: MetricOptions): Metric {
    return this.api.metricCount({ statistic: 'Sum', ...options });
  }

  private makeFunction(stage: Stage, tables: Tables): ServiceFunction {
    const submission = new ServiceFunction(this, 'Submission', {
      stage,
      folder: 'source-submission',
      description: "Surface 1c: takes leads by a provider's own signature, or by server token",
    });
    tables.grantFindFormsBySlug(submission);
    tables.grantFindSecretsBySlug(submission);
    tables.grantLookUpTokens(submission);
    tables.grantLookUpForms(submission);
    tables.grantPassGate(submission);
    tables.grantRememberResponses(submission);
    tables.grantStoreLeads(submission);
    tables.grantRecordRejections(submission);
    tables.grantNoteUse(submission);
    return submission;
  }
}
