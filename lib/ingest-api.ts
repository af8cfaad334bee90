import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  type Method,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { OPAQUE_REJECTION } from '../lambdas/contract.ts';
import { ACCESS_LOG_FORMAT } from './access-log-format.ts';
import { IngestFirewall } from './ingest-firewall.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

export interface IngestApiProps {
  readonly stage: Stage;
  readonly manageApiGatewayAccount: boolean;
  readonly server: ServiceFunction;
  readonly webhook: ServiceFunction;
  readonly retired: ServiceFunction;
  readonly firewall: boolean;
}

/** The public door: two routes that take leads, one that is gone, and one answer to everything else. */
export class IngestApi extends Construct {
  private readonly api: RestApi;

  constructor(scope: Construct, id: string, props: IngestApiProps) {
    super(scope, id);
    this.api = this.makeApi(props);
    this.addRoutes(props);
    this.hideGatewayErrors();
    this.keepExecutionLogsFor(props.stage);
    this.guard(props);
  }

  /** `{base_url}`: the stage's URL without a trailing slash. */
  get url(): string {
    const { restApiId, deploymentStage } = this.api;
    return `https://${restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${deploymentStage.stageName}`;
  }

  private makeApi({ stage, manageApiGatewayAccount }: IngestApiProps): RestApi {
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    const api = new RestApi(this, 'Api', {
      restApiName: `lead-ingest-${stage.name}`,
      description: `Takes leads from backends and webhook providers (${stage.name})`,
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // Every body reaches the functions as the bytes that were sent, which is what a signature covers.
      binaryMediaTypes: ['*/*'],
      // One role for all REST APIs of an account and region. Kept when this stack goes: others may lean on it.
      cloudWatchRole: manageApiGatewayAccount,
      cloudWatchRoleRemovalPolicy: manageApiGatewayAccount ? RemovalPolicy.RETAIN : undefined,
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        loggingLevel: MethodLoggingLevel.ERROR,
        // Would log headers and bodies, credentials and leads among them.
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: ACCESS_LOG_FORMAT,
      },
    });
    // CDK's own output; the stack's outputs are those that contract.ts names.
    api.node.tryRemoveChild('Endpoint');
    const resource = api.node.defaultChild as CfnRestApi;
    // The API's id is part of every sender's URL: it must outlive a move of this construct.
    resource.overrideLogicalId('IngestApi');
    // TLS 1.2 at least. A regional endpoint without a policy still takes TLS 1.0.
    resource.securityPolicy = SecurityPolicy.TLS13_1_2_PQ_2025_09;
    resource.endpointAccessMode = EndpointAccessMode.STRICT;
    acknowledgeApi(api);
    return api;
  }

  private guard({ stage, firewall }: IngestApiProps): void {
    const { deploymentStage } = this.api;
    if (firewall) {
      new IngestFirewall(this, 'Firewall', { name: `lead-ingest-${stage.name}`, apiStage: deploymentStage });
      return;
    }
    Validations.of(deploymentStage).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason:
        'By context ingestFirewall, on in prod: it costs by the month. API Gateway throttles, the gate limits.',
    });
  }

  private addRoutes({ server, webhook, retired }: IngestApiProps): void {
    const api = this.api.root.addResource('api');
    const ingest = api.addResource('v1').addResource('ingest');
    addRoute(ingest, 'POST', server);
    addRoute(ingest.addResource('{slug}'), 'POST', webhook);
    addRoute(api.addResource('ingest').addResource('{slug}'), 'ANY', retired);
  }

  /**
   * What API Gateway answers by itself (no such route, throttled, timed out) looks like any rejection. With one
   * template only, no Accept header can choose another content type.
   */
  private hideGatewayErrors(): void {
    const types = {
      Default4xx: ResponseType.DEFAULT_4XX,
      Default5xx: ResponseType.DEFAULT_5XX,
      // By name, since it is not documented to fall back to DEFAULT_4XX. Over 10 MB it has no effect all the same.
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

  /** API Gateway makes this group itself, to be kept for ever, unless it finds one of that name. */
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
  const integration = new LambdaIntegration(handler.function, {
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
