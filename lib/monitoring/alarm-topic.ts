import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type CfnKey, Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import { alarmPrefix } from './runbook-alarm.ts';

export interface AlarmTopicProps {
  readonly stage: Stage;
  /** Gets a mail for every alarm, besides manual subscribers. */
  readonly email: string | undefined;
}

const CLOUDWATCH = new ServicePrincipal('cloudwatch.amazonaws.com');

/** The topic for all alarms of a stage. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { stage, email }: AlarmTopicProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      topicName: `${alarmPrefix(stage)}alarms`,
      masterKey: this.makeKey(stage),
      enforceSSL: true,
    });
    this.letAlarmsPublish(stage);
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
  }

  /**
   * A customer-managed key: with the AWS-managed key for SNS, CloudWatch cannot publish, and no alarm would arrive.
   * https://repost.aws/knowledge-center/cloudwatch-configure-alarm-sns
   */
  private makeKey(stage: Stage): Key {
    const key = new Key(this, 'Key', {
      description: `Encrypts the alarms of lead-ingest (${stage.name}) on their way`,
      enableKeyRotation: true,
      removalPolicy: stage.removalPolicy,
      pendingWindow: stage.keyPendingWindow,
    });
    (key.node.defaultChild as CfnKey).overrideLogicalId('AlarmKey');
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsEncryptWhatTheyPublish',
        principals: [CLOUDWATCH],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
      }),
    );
    return key;
  }

  /** A policy replaces the topic's default one, which would have allowed the account's alarms. */
  private letAlarmsPublish(stage: Stage): void {
    const alarms = Stack.of(this).formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: `${alarmPrefix(stage)}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisStage',
        principals: [CLOUDWATCH],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { ArnLike: { 'aws:SourceArn': alarms } },
      }),
    );
  }
}
