import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { lambdaCode } from './lambda-code.ts';
import type { Stage } from './stage.ts';

export interface ServiceFunctionProps {
  readonly stage: Stage;
  /** The folder of lambdas/ that holds its index.ts. */
  readonly folder: string;
  readonly description: string;
  /** 10 seconds unless said otherwise. */
  readonly timeout?: Duration;
}

/** A function of this service: how every one of them is built, logged and traced, with no permission but those. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.stage.logRetention,
      removalPolicy: props.stage.removalPolicy,
    });
    this.function = new LambdaFunction(this, 'Function', {
      description: props.description,
      code: lambdaCode(props.folder),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1024,
      timeout: props.timeout ?? Duration.seconds(10),
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role: this.makeRole(logGroup),
    });
    // Not by the `tracing` property: that one puts X-Ray's wildcard among the grants, where it would have to be
    // excused for all of them. Here it stays in the role's own policy.
    (this.function.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
  }

  /** Gives the function an environment variable. */
  setVariable(name: string, value: string): void {
    this.function.addEnvironment(name, value);
  }

  /** Gives the function a permission. */
  allow(statement: PolicyStatement): void {
    this.function.addToRolePolicy(statement);
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
            new PolicyStatement({
              actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
              resources: ['*'],
            }),
          ],
        }),
      },
    });
    // On the resource, not on the construct: the grants, in a policy below the construct, are still checked.
    Validations.of(role.node.defaultChild ?? role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: "X-Ray's two write actions take no resource: IAM accepts only * for them.",
    });
    return role;
  }
}
