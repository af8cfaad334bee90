import { ArnFormat, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type CfnKey, Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Alerts } from '../alerts.ts';
import type { Enrichment } from '../enrichment.ts';
import type { IngestApi } from '../ingest-api.ts';
import type { LeadStats } from '../lead-stats.ts';
import type { Learning } from '../learning.ts';
import type { RejectionRecorder } from '../rejection-recorder.ts';
import type { Search } from '../search.ts';
import type { Sending } from '../sending.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { SettingsApi } from '../settings-api.ts';
import type { SourcesApi } from '../sources-api.ts';
import type { Stage } from '../stage.ts';
import type { Tables } from '../tables.ts';

/** Everything that alarms and graphs use. */
export interface MonitoredResources {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly ingestApi: IngestApi;
  readonly sourcesApi: SourcesApi;
  readonly recorder: RejectionRecorder;
  readonly enrichment: Enrichment;
  readonly sending: Sending;
  readonly search: Search;
  readonly learning: Learning;
  readonly leadStats: LeadStats;
  readonly alerts: Alerts;
  readonly settingsApi: SettingsApi;
  readonly functions: readonly ServiceFunction[];
}

/** The properties of an alarm. */
export interface RunbookAlarm {
  /** The heading of docs/runbook.md that says what to do. */
  readonly heading: string;
  /** Which function, stream, queue or surface, where a heading has several alarms. */
  readonly of?: string;
  /** One sentence. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** The alarm goes off at this value or above, or below it. */
  readonly threshold: number;
  readonly below?: boolean;
  /** In how many of how many periods. Defaults to one of one. */
  readonly periods?: { readonly bad: number; readonly outOf: number };
  readonly missingData: TreatMissingData;
}

/** For counts and latencies: without traffic there is no data, and that is healthy. */
export const MISSING_IS_OK = TreatMissingData.NOT_BREACHING;

/** For what runs on a schedule: without data it does not run. */
export const MISSING_IS_BAD = TreatMissingData.BREACHING;

/** The beginning of the names of the topic and of all alarms of a stage. */
export function alarmPrefix(stage: Stage): string {
  return `lead-ingest-${stage.name}-`;
}

/**
 * In the nested stack. A name is unique in an account: an alarm that moves to another stack is created there before it
 * is deleted here, and needs a new one.
 */
export function nestedPrefix(stage: Stage): string {
  return `${alarmPrefix(stage)}monitoring-`;
}

/** The name contains the runbook's heading: `lead-ingest-prod-FunctionErrors-relay` has `FunctionErrors`. */
export function makeAlarm(
  scope: Construct,
  prefix: string,
  announceAt: IAlarmAction,
  { heading, of, meaning, metric, threshold, below = false, periods, missingData }: RunbookAlarm,
): Alarm {
  const name = of === undefined ? heading : `${heading}-${of}`;
  const { bad, outOf } = periods ?? { bad: 1, outOf: 1 };
  const alarm = new Alarm(scope, name, {
    alarmName: `${prefix}${name}`,
    alarmDescription: `${meaning} What to do: docs/runbook.md#${heading.toLowerCase()}`,
    metric,
    comparisonOperator: below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    threshold,
    datapointsToAlarm: bad,
    evaluationPeriods: outOf,
    treatMissingData: missingData,
  });
  alarm.addAlarmAction(announceAt);
  alarm.addOkAction(announceAt);
  return alarm;
}

export interface AlarmTopicProps {
  readonly stage: Stage;
  /** Gets an email for every alarm, in addition to manual subscribers. */
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
