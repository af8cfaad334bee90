import { Validations } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Monitoring } from './monitoring.ts';
import type { ServiceFunction } from './service-function.ts';

export interface GradualDeploymentProps {
  readonly functions: readonly ServiceFunction[];
  readonly monitoring: Monitoring;
  /** CodeDeploy also stops for an alarm that was already on, which would block the fix for its cause. */
  readonly despiteAlarms: boolean;
}

/**
 * New code gets 10 % of the invocations for five minutes, then all of them. If an alarm goes off in between, the old
 * code takes over again, and CloudFormation rolls back the deployment.
 *
 * This includes functions that follow a stream or queue: a batch that fails in the new version is delivered again, nine
 * times in ten to the old one, and repeated delivery does no harm. Two versions at once are nothing new: Lambda never
 * replaces all environments in the same instant.
 */
export class GradualDeployment extends Construct {
  constructor(scope: Construct, id: string, props: GradualDeploymentProps) {
    super(scope, id);
    const { functions, monitoring, despiteAlarms } = props;
    const application = new LambdaApplication(this, 'Application');
    const role = this.makeRole();
    for (const fn of functions) {
      if (!fn.live) continue;
      new LambdaDeploymentGroup(this, fn.name, {
        application,
        role,
        alias: fn.live,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: monitoring.alarmsAgainst(fn),
        ignoreAlarmConfiguration: despiteAlarms,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
    }
  }

  private makeRole(): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason:
        'The managed policy that CodeDeploy requires to shift traffic between versions. AWS maintains it.',
    });
    return role;
  }
}
