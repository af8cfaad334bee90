import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  type CfnFunction,
  type EventSourceMapping,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import { lambdaCode } from '#assets';
import { METRICS_NAMESPACE_VARIABLE } from '../lambdas/contract.ts';
import { acknowledgeWildcards } from './acknowledge-wildcards.ts';
import { metricsNamespace } from './monitoring/service-metric.ts';
import type { Stage } from './stage.ts';

/** A queue or a table's stream that a function follows. */
export interface Followed {
  readonly mapping: EventSourceMapping;
  readonly queue?: Queue;
  readonly table?: ITableV2;
  readonly batchSize: number;
}

export interface ServiceFunctionProps {
  readonly stage: Stage;
  /** The name of the folder below lambdas/ that holds its index.ts. */
  readonly folder: string;
  /** The name in alarms and logs, if two functions share code. Defaults to the folder's name. */
  readonly name?: string;
  readonly description: string;
  /** Defaults to 10 seconds. */
  readonly timeout?: Duration;
}

/** A function of this service. All are built, logged and traced the same way, and start without permissions. */
export class ServiceFunction extends Construct {
  /** Its folder's name, and the last part of its alarms' names. */
  readonly name: string;
  readonly folder: string;
  readonly role: IRole;
  readonly timeout: Duration;
  /** The queues and streams that it follows. */
  readonly followed: Followed[] = [];
  /** Points to the version in use. gradual-deployment.ts shifts it gradually. */
  readonly live: Alias | undefined;
  private readonly function: LambdaFunction;
  private readonly withoutResource = new PolicyDocument();

  /** Every function below a construct, so that new ones are included. */
  static allBelow(construct: IConstruct): ServiceFunction[] {
    return construct.node.findAll().filter((it) => it instanceof ServiceFunction);
  }

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.folder = props.folder;
    this.name = props.name ?? props.folder;
    this.timeout = props.timeout ?? Duration.seconds(10);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.stage.logRetention,
      removalPolicy: props.stage.removalPolicy,
    });
    this.role = this.makeRole(logGroup);
    this.function = new LambdaFunction(this, 'Function', {
      description: props.description,
      code: lambdaCode(props.folder),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1024,
      timeout: this.timeout,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role: this.role,
      environment: { [METRICS_NAMESPACE_VARIABLE]: metricsNamespace(props.stage) },
      // The way back: what the alias pointed to before is still there. Not so a version whose own deployment is rolled
      // back: Lambda makes none twice from the same code, so a retry of the same commit would find it taken.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    // Not by the `tracing` property: that one puts X-Ray's wildcard among the grants, where it would have to be
    // excused for all of them. Here it stays in the role's own policy.
    (this.function.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
    this.live = props.stage.deploysGradually ? this.makeAlias() : undefined;
  }

  /** What API Gateway and event sources call. */
  get target(): IFunction {
    return this.live ?? this.function;
  }

  /** As CloudWatch names it. */
  get functionName(): string {
    return this.function.functionName;
  }

  /** Gives the function an environment variable. */
  setVariable(name: string, value: string): void {
    this.function.addEnvironment(name, value);
  }

  /** Gives the function a permission. `wildcard` is the reason for one in its resources. */
  allow(statement: PolicyStatement, wildcard?: string): void {
    this.function.addToRolePolicy(statement);
    if (wildcard === undefined) return;
    acknowledgeWildcards(this.role.node.findChild('DefaultPolicy'), [{ statement, wildcard }]);
  }

  /**
   * Gives the function permissions that take no resource. They are in the role itself, like the telemetry: there
   * their wildcard excuses no grant, and they need no policy of their own, which would be a resource of the stack, of which CloudFormation allows 500.
   */
  allowWithoutResource(...actions: string[]): void {
    this.withoutResource.addStatements(new PolicyStatement({ actions, resources: ['*'] }));
  }

  /** Invocations that crashed, timed out, ran out of memory, or threw. */
  metricErrors(options?: MetricOptions): Metric {
    return this.function.metricErrors(options);
  }

  /** Invocations that Lambda rejected because the concurrency was used up. */
  metricThrottles(options?: MetricOptions): Metric {
    return this.function.metricThrottles(options);
  }

  metricInvocations(options?: MetricOptions): Metric {
    return this.function.metricInvocations(options);
  }

  metricDuration(options?: MetricOptions): Metric {
    return this.function.metricDuration(options);
  }

  /** Concurrent invocations. */
  metricConcurrency(options?: MetricOptions): Metric {
    return this.function.metric('ConcurrentExecutions', { statistic: 'Maximum', ...options });
  }

  /** The age of the newest record in a batch, for functions that follow a stream. */
  metricIteratorAge(options?: MetricOptions): Metric {
    return this.function.metric('IteratorAge', { statistic: 'Maximum', ...options });
  }

  /** The version's logical id is a hash of code and configuration, settled at synth: a new one only if they change. */
  private makeAlias(): Alias {
    return new Alias(this, 'Live', { aliasName: 'live', version: this.function.currentVersion });
  }

  private makeRole(logGroup: LogGroup): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Telemetry: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
          ],
        }),
        WithoutResource: this.withoutResource,
      },
    });
    this.allowWithoutResource('xray:PutTraceSegments', 'xray:PutTelemetryRecords');
    // On the resource, not on the construct: the grants, in a policy below the construct, are still checked.
    Validations.of(role.node.defaultChild ?? role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        "X-Ray's two write actions and dynamodb:ListStreams take no resource: IAM accepts only * for them.",
    });
    return role;
  }
}
