import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lineOf, summaryOf } from '../../bin/leadctl/doctor/check.ts';
import { type Asked, AwsError, type FakeAws, startFakeAws } from './fake-aws/fake-aws.ts';
import {
  denied,
  examineAfter,
  expectOnly,
  mapping,
  messages,
  metrics,
  NO_STACK,
  RESOURCES,
  type Row,
  resources,
  stackIn,
} from './fake-aws/healthy-stack.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.close());

test('a healthy stack has no issues', async () => {
  const results = await examineAfter(aws, {});
  expect(results.map(lineOf)).toEqual([
    'ok    credentials           account 111122223333',
    'ok    region                eu-west-1',
    'ok    stack                 LeadIngest-prod (UPDATE_COMPLETE)',
    'ok    alarm subscription    1 confirmed',
    'ok    alarms                none of 2 in alarm',
    'ok    aliases               2 as CodeDeploy left them',
    'ok    streams               2 event sources enabled, at most 1 second behind',
    'ok    enrichment queue      3 leads waiting, the oldest for 12 seconds',
    'ok    dead letters          none',
    'ok    sending queue         0 messages waiting, the oldest for 12 seconds',
    'ok    index queue           0 leads waiting, the oldest for 12 seconds',
    'ok    sending dead letters  none',
    'ok    mail sender           leads@mail.example.com, verified by leads@mail.example.com, with production access',
    'ok    round trip            elsewhere',
  ]);
  expect(summaryOf(results)).toBe('No issues.');
});

/** Only this queue is behind. */
const ageOf = (queue: string, seconds: number) => (asked: Asked) => {
  const behind = JSON.stringify(asked.input.MetricDataQueries).includes(`"Value":"${queue}"`);
  return metrics({ ApproximateAgeOfOldestMessage: [behind ? seconds : 12] })(asked);
};

/** A stack with the setting smallAccount. */
const IN_TURN = {
  'cloudformation:ListStackResources': resources(...RESOURCES, [
    'AWS::Lambda::Function',
    'LeadIngest-prod-InTurnWorkFunction1A2B3C4D-AbCdEf',
  ]),
};

const ROWS: Row[] = [
  [
    'stack',
    'after a deployment that was undone',
    { 'cloudformation:DescribeStacks': stackIn('UPDATE_ROLLBACK_COMPLETE') },
    'warn',
    /was rolled back/,
  ],
  [
    'stack',
    'half updated',
    { 'cloudformation:DescribeStacks': stackIn('UPDATE_ROLLBACK_FAILED') },
    'fail',
    /UPDATE_ROLLBACK_FAILED/,
  ],
  [
    'stack',
    'being updated',
    { 'cloudformation:DescribeStacks': stackIn('UPDATE_IN_PROGRESS') },
    'warn',
    /being updated/,
  ],
  [
    'streams',
    'a quarter of an hour behind',
    { 'monitoring:GetMetricData': metrics({ IteratorAge: [900_000] }) },
    'fail',
    /relay is 15 minutes behind the stream.*StreamBehind/,
  ],
  [
    'streams',
    'a minute behind',
    { 'monitoring:GetMetricData': metrics({ IteratorAge: [60_000] }) },
    'warn',
    /60 seconds behind/,
  ],
  [
    'streams',
    'that nothing went through',
    { 'monitoring:GetMetricData': metrics({}) },
    'ok',
    /at most 0 seconds behind/,
  ],
  [
    'streams',
    'switched off',
    { 'lambda:GetEventSourceMapping': mapping({ State: 'Disabled' }) },
    'fail',
    /relay is disabled.*--enabled/,
  ],
  [
    'streams',
    'switched off, because functions work in turn',
    {
      ...IN_TURN,
      'lambda:GetEventSourceMapping': (asked: Asked) => ({ ...mapping()(asked), State: 'Disabled' }),
    },
    'ok',
    /off: with smallAccount, functions work in turn/,
  ],
  [
    'streams',
    'not switched off, although functions work in turn',
    IN_TURN,
    'warn',
    /event sources should be off, but that of relay is Enabled/,
  ],
  [
    'streams',
    'access denied',
    { 'lambda:GetEventSourceMapping': denied() },
    'warn',
    /Allow lambda:GetEventSourceMapping/,
  ],
  [
    'enrichment queue',
    'an hour behind',
    { 'monitoring:GetMetricData': ageOf('enrichment', 7_200) },
    'fail',
    /3 leads waiting, the oldest for 2 hours.*EnrichmentBehind/,
  ],
  [
    'enrichment queue',
    'ten minutes behind',
    { 'monitoring:GetMetricData': ageOf('enrichment', 600) },
    'warn',
    /the oldest for 10 minutes/,
  ],
  [
    'enrichment queue',
    'of which CloudWatch knows nothing',
    { 'monitoring:GetMetricData': metrics({}), 'sqs:GetQueueAttributes': messages({ enrichment: '1' }) },
    'ok',
    /1 lead waiting$/,
  ],
  [
    'dead letters',
    'there',
    { 'sqs:GetQueueAttributes': messages({ dead: '2' }) },
    'fail',
    /2 leads failed permanently.*leadctl dlq list.*leadctl dlq redrive/,
  ],
  [
    'sending queue',
    'forty minutes behind',
    { 'monitoring:GetMetricData': ageOf('sending', 2_400) },
    'fail',
    /0 messages waiting, the oldest for 40 minutes.*SendingBehind/,
  ],
  [
    'sending queue',
    'half an hour behind',
    { 'monitoring:GetMetricData': ageOf('sending', 1_800) },
    'warn',
    /the oldest for 30 minutes/,
  ],
  [
    'index queue',
    'twenty minutes behind',
    { 'monitoring:GetMetricData': ageOf('index', 1_200) },
    'fail',
    /0 leads waiting, the oldest for 20 minutes.*SearchBehind/,
  ],
  [
    'index queue',
    'five minutes behind',
    { 'monitoring:GetMetricData': ageOf('index', 300) },
    'warn',
    /the oldest for 5 minutes/,
  ],
  [
    'sending dead letters',
    'there',
    { 'sqs:GetQueueAttributes': messages({ 'sending-dead': '1' }) },
    'fail',
    /1 event, message or search update failed permanently.*dlq list --queue sending.*dlq redrive --queue sending/,
  ],
];

test.each(ROWS)('%s: %s', async (check, _when, responses, status, says) => {
  expectOnly(await examineAfter(aws, responses), check, status, says);
});

test('a missing stack fails, and the checks that need it are skipped', async () => {
  const results = await examineAfter(aws, { 'cloudformation:DescribeStacks': NO_STACK });
  expect(
    results.filter(({ status }) => status !== 'ok').map(({ name, status }) => `${status} ${name}`),
  ).toEqual(['fail stack', 'skip alarm subscription', 'skip alarms', 'skip aliases', 'skip streams']);
  expect(summaryOf(results)).toBe('1 failed, 0 warnings.');
});

test('without permission to describe the stack, the queues are still checked', async () => {
  const results = await examineAfter(aws, { 'cloudformation:DescribeStacks': denied('AccessDenied') });
  const warned = results.filter(({ status }) => status === 'warn');
  expect(warned.map(({ name }) => name)).toEqual([
    'stack',
    'alarm subscription',
    'alarms',
    'aliases',
    'streams',
  ]);
  for (const { todo } of warned) expect(todo).toMatch('cloudformation:DescribeStacks');
  expect(results).toContainEqual({ name: 'dead letters', status: 'ok', found: 'none' });
});

test('queues that may not be read', async () => {
  const results = await examineAfter(aws, { 'sqs:GetQueueAttributes': denied() });
  for (const name of [
    'enrichment queue',
    'dead letters',
    'sending queue',
    'index queue',
    'sending dead letters',
  ]) {
    const todo = expect.stringContaining('Allow sqs:GetQueueAttributes');
    expect(results).toContainEqual(expect.objectContaining({ name, status: 'warn', todo }));
  }
});

async function ask(response: object): Promise<{ asked: unknown; mistake: string | undefined }> {
  const aws = await startFakeAws();
  aws.respondWith({ 'ssm:GetParameter': response });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new SSMClient({ region: 'eu-west-1', endpoint: aws.endpoint, credentials, maxAttempts: 1 });
  const asked = await client.send(new GetParameterCommand({ Name: '/a' })).catch((error: Error) => error);
  const mistake = await aws.close().catch(({ message }: Error) => message);
  client.destroy();
  return { asked, mistake: mistake ?? undefined };
}

test('responses that fit the model reach the SDK', async () => {
  const LastModifiedDate = new Date('2026-05-01T00:00:00Z');
  const { asked, mistake } = await ask({ Parameter: { Value: '6', Version: 2, LastModifiedDate } });
  expect(asked).toMatchObject({ Parameter: { Value: '6', Version: 2, LastModifiedDate } });
  expect(mistake).toBeUndefined();
});

test.each([
  [
    'a member that is not in the model',
    { Parameter: { Wert: '6' } },
    'the model has no GetParameterResult.Parameter.Wert',
  ],
  [
    'a value of another kind',
    { Parameter: { Value: 6 } },
    'the model has no number at GetParameterResult.Parameter.Value',
  ],
  [
    'an error that the service does not have',
    new AwsError('NoSuchParameter'),
    'the model has no error NoSuchParameter',
  ],
])('%s is a mistake of the test', async (_, response, message) => {
  expect((await ask(response)).mistake).toBe(message);
});
