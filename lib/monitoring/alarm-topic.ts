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
  /** Who is told, besides whoever subscribes by hand. */
  readonly email: string | undefined;
}

const CLOUDWATCH = new ServicePrincipal('cloudwatch.amazonaws.com');

/** Where every alarm of a stage is announced. */
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
   * A key of our own: with the one that AWS keeps for SNS, CloudWatch cannot publish, and nobody would be told.
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

  /** A topic with a policy has no other: the one that AWS gives a topic would have let the account's alarms in. */
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
