import { Validations } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Monitoring } from './monitoring.ts';
import type { ServiceFunction } from './service-function.ts';

export interface GradualDeploymentProps {
  readonly functions: readonly ServiceFunction[];
  readonly monitoring: Monitoring;
  /** CodeDeploy also stops at an alarm that was on before: what mends its cause must get past it. */
  readonly despiteAlarms: boolean;
}

/**
 * New code takes a tenth of the calls for five minutes, and all of them after that; if an alarm goes off in between, the
 * old code takes all of them again, and CloudFormation takes the whole deployment back.
 *
 * So for every function, those that follow the stream and the queue too: what the new version fails at is delivered
 * again, nine times in ten to the old one, and nothing that is delivered twice does harm. Two versions at once are no
 * new demand on the code: Lambda never replaces all environments in the same instant.
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
        'What CodeDeploy asks for in order to move an alias. It says so itself and changes it as it needs to.',
    });
    return role;
  }
}
