import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient, type Subscription } from '@aws-sdk/client-sns';
import { type Aws, type FoundStack, ofType } from './aws.ts';
import { asking, type Finding, fail, ok, skip, warn } from './check.ts';

/** What SNS returns instead of an ARN. */
const PENDING = 'PendingConfirmation';
const DELETED = 'Deleted';

/** Whether alarms notify anybody. Addresses are not printed. */
export async function alarmSubscription(aws: Aws, stack: FoundStack): Promise<Finding> {
  const [topicArn] = ofType(stack, 'AWS::SNS::Topic');
  if (!topicArn) {
    return ofType(stack, 'AWS::CloudWatch::Alarm').length === 0
      ? skip(WITHOUT_ALARMS)
      : fail('the stack has no alarm topic', 'Deploy it again.');
  }
  const all = (await subscriptionsTo(aws, topicArn)).filter((each) => each.SubscriptionArn !== DELETED);
  const pending = all.filter((each) => each.SubscriptionArn === PENDING);
  const confirmed = all.length - pending.length;
  const subscribe = `aws sns subscribe --topic-arn ${topicArn} --protocol email --notification-endpoint ADDRESS`;
  if (pending.length > 0) {
    const found = `${pending.length} not confirmed, ${confirmed} confirmed`;
    const todo =
      'Click the link in the email from AWS within 48 hours. Until then, that address gets no alarms.';
    return confirmed > 0 ? warn(found, todo) : fail(`alarms notify nobody: ${found}`, todo);
  }
  if (confirmed > 0) return ok(`${confirmed} confirmed`);
  if (ofType(stack, 'AWS::SNS::Subscription').length > 0) {
    return fail(
      'alarms notify nobody: alarmEmail was not confirmed within 48 hours, or unsubscribed',
      `Deploying again does not resend the email. Subscribe manually: ${subscribe}`,
    );
  }
  return warn('alarms notify nobody', `Deploy with -c alarmEmail=ADDRESS, or: ${subscribe}`);
}

async function subscriptionsTo(aws: Aws, TopicArn: string): Promise<Subscription[]> {
  const client = new SNSClient(aws.config());
  const subscriptions: Subscription[] = [];
  const pages = paginateListSubscriptionsByTopic({ client }, { TopicArn });
  try {
    for (;;) {
      const { value, done } = await asking('sns:ListSubscriptionsByTopic', pages.next());
      if (done) return subscriptions;
      subscriptions.push(...(value.Subscriptions ?? []));
    }
  } finally {
    client.destroy();
  }
}

const WITHOUT_ALARMS = 'the stack was deployed with alarms=false';

const MAX_NAMES_PER_CALL = 100;

export async function alarmsOn(aws: Aws, stack: FoundStack): Promise<Finding> {
  const names = ofType(stack, 'AWS::CloudWatch::Alarm');
  if (names.length === 0) return skip(WITHOUT_ALARMS);
  const alarms = await describeAlarms(aws, names);
  const on = alarms.filter(({ StateValue }) => StateValue === 'ALARM').map(({ AlarmName }) => AlarmName);
  if (on.length > 0) {
    return fail(`${on.length} of ${names.length} in alarm: ${on.join(', ')}`, 'See docs/runbook.md.');
  }
  const muted = alarms.filter(({ ActionsEnabled }) => ActionsEnabled === false);
  if (muted.length > 0) {
    return warn(
      `none in alarm, but the actions of ${muted.length} of ${names.length} are disabled`,
      'Enable them: aws cloudwatch enable-alarm-actions --alarm-names …',
    );
  }
  if (alarms.length < names.length) {
    return fail(
      `${names.length - alarms.length} of ${names.length} were deleted manually`,
      'Find them with `cdk drift`, then deploy again.',
    );
  }
  return ok(`none of ${names.length} in alarm`);
}

async function describeAlarms(aws: Aws, names: readonly string[]): Promise<MetricAlarm[]> {
  const cloudWatch = new CloudWatchClient(aws.config());
  const alarms: MetricAlarm[] = [];
  try {
    for (let start = 0; start < names.length; start += MAX_NAMES_PER_CALL) {
      const AlarmNames = names.slice(start, start + MAX_NAMES_PER_CALL);
      const command = new DescribeAlarmsCommand({ AlarmNames, MaxRecords: MAX_NAMES_PER_CALL });
      const { MetricAlarms = [] } = await asking('cloudwatch:DescribeAlarms', cloudWatch.send(command));
      alarms.push(...MetricAlarms);
    }
    return alarms;
  } finally {
    cloudWatch.destroy();
  }
}
