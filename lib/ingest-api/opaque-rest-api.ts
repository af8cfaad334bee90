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
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { OPAQUE_REJECTION, REPEATABLE_REJECTION } from '../../lambdas/contract.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Stage } from '../stage.ts';
import { ACCESS_LOG_FORMAT } from './gateway-responses.ts';

export interface OpaqueRestApiProps {
  readonly stage: Stage;
  readonly name: string;
  readonly description: string;
  /** The API's id is part of every sender's URL, so it must not change when the construct moves. */
  readonly logicalId: string;
  readonly accessLogs: LogGroup;
  /** Whether this API makes the role by which API Gateway writes logs: one for all REST APIs of an account and region. */
  readonly makesLogRole: boolean;
  readonly methods: StageOptions;
  readonly rejection: typeof OPAQUE_REJECTION | typeof REPEATABLE_REJECTION;
}

/** A public REST API that responds to whatever no function has seen as its functions respond to what they reject. */
export function makeOpaqueRestApi(scope: Construct, props: OpaqueRestApiProps): RestApi {
  const { stage, makesLogRole } = props;
  const api = new RestApi(scope, 'Api', {
    restApiName: props.name,
    description: props.description,
    endpointConfiguration: { types: [EndpointType.REGIONAL] },
    // Every body reaches the functions as the bytes that were sent, which is what a signature covers.
    binaryMediaTypes: ['*/*'],
    // Kept when this stack is deleted, because others may use it.
    cloudWatchRole: makesLogRole,
    cloudWatchRoleRemovalPolicy: makesLogRole ? RemovalPolicy.RETAIN : undefined,
    deployOptions: {
      stageName: stage.name,
      // Its segments would contain the sender's address. The functions trace their own work.
      tracingEnabled: false,
      ...props.methods,
      accessLogDestination: new LogGroupLogDestination(props.accessLogs),
      accessLogFormat: ACCESS_LOG_FORMAT,
    },
  });
  // CDK's own output; the stack's outputs are those that contract.ts names.
  api.node.tryRemoveChild('Endpoint');
  const resource = api.node.defaultChild as CfnRestApi;
  resource.overrideLogicalId(props.logicalId);
  // TLS 1.2 at least. A regional endpoint without a policy still accepts TLS 1.0.
  resource.securityPolicy = SecurityPolicy.TLS13_1_2_PQ_2025_09;
  resource.endpointAccessMode = EndpointAccessMode.STRICT;
  acknowledgeApi(api);
  hideGatewayErrors(api, props.rejection);
  keepExecutionLogs(scope, api, stage);
  return api;
}

/** The stage's URL, without a trailing slash. */
export function stageUrl({ restApiId, deploymentStage }: RestApi): string {
  return `https://${restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${deploymentStage.stageName}`;
}

/** With the web ACL by context, and off outside prod. */
export function acknowledgeNoFirewall({ deploymentStage }: RestApi): void {
  Validations.of(deploymentStage).acknowledge({
    id: 'AwsSolutions-APIG3',
    reason:
      'By context ingestFirewall, on in prod: it costs by the month. API Gateway throttles, the gate limits.',
  });
}

export function addRoute(resource: IResource, httpMethod: string, handler: ServiceFunction): void {
  const integration = new LambdaIntegration(handler.target, {
    // Longer than a function may run, so that its own timeout ends a request.
    timeout: Duration.seconds(29),
    allowTestInvoke: false,
  });
  acknowledgeMethod(resource.addMethod(httpMethod, integration));
}

/**
 * What API Gateway returns by itself (no such route, throttled, timed out) looks like any rejection. With one
 * template only, no Accept header can choose another content type.
 */
function hideGatewayErrors(api: RestApi, rejection: OpaqueRestApiProps['rejection']): void {
  const types = {
    Default4xx: ResponseType.DEFAULT_4XX,
    Default5xx: ResponseType.DEFAULT_5XX,
    // By name, since it is not documented to fall back to DEFAULT_4XX. It still has no effect above 10 MB.
    RequestTooLarge: ResponseType.REQUEST_TOO_LARGE,
  };
  for (const [id, type] of Object.entries(types)) {
    api.addGatewayResponse(id, {
      type,
      statusCode: String(rejection.statusCode),
      templates: { [rejection.contentType]: rejection.body },
    });
  }
}

/** API Gateway would create this group itself, without an expiry. */
function keepExecutionLogs(scope: Construct, api: RestApi, stage: Stage): void {
  const executionLogs = new LogGroup(scope, 'ExecutionLogs', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stage.name}`,
    retention: stage.logRetention,
    removalPolicy: stage.removalPolicy,
  });
  api.deploymentStage.node.addDependency(executionLogs);
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
