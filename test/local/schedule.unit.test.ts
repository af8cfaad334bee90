import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { matchesPattern, readSchedules, startSchedules } from '#local/event-source/event-rules.ts';
import { type Closers, makeClosers } from '#local/lifecycle.ts';
import { TemplateReader } from '#local/template.ts';
import { waitFor } from '../until.ts';

const FUNCTION_ARN = 'arn:aws:lambda:us-east-1:000000000000:function:S-Send';
const RULE_ARN = 'arn:aws:events:us-east-1:000000000000:rule/S-Sweep';

function read(properties: Record<string, unknown>) {
  const Targets = [{ Id: 'Target0', Arn: { 'Fn::GetAtt': ['Send', 'Arn'] } }];
  return readSchedules(
    new TemplateReader(
      {
        Resources: {
          Send: { Type: 'AWS::Lambda::Function' },
          Sweep: { Type: 'AWS::Events::Rule', Properties: { State: 'ENABLED', Targets, ...properties } },
        },
      },
      'S',
    ),
  );
}

test.each([
  ['rate(1 minute)', 60_000],
  ['rate(5 minutes)', 300_000],
  ['rate(1 hour)', 3_600_000],
  ['rate(2 days)', 172_800_000],
  ['rate(100 days)', 2 ** 31 - 1],
])('%s', (ScheduleExpression, everyMilliseconds) => {
  expect(read({ ScheduleExpression })).toEqual([
    { logicalId: 'Sweep', ruleArn: RULE_ARN, functionArn: FUNCTION_ARN, everyMilliseconds },
  ]);
});

test.each([
  ['a disabled rule', { ScheduleExpression: 'rate(1 minute)', State: 'DISABLED' }],
  ['a rule with a pattern', { EventPattern: { source: ['aws.ec2'] } }],
])('%s is ignored', (_, properties) => {
  expect(read(properties)).toEqual([]);
});

test('a pattern matches if each place that it names has one of its values', () => {
  const pattern = { source: ['aws.ses'], detail: { mail: { tags: { set: ['Mail'] } } } };
  const event = (set: readonly string[]) => ({ source: 'aws.ses', detail: { mail: { tags: { set } } } });
  expect(matchesPattern(event(['Other', 'Mail']), pattern)).toBe(true);
  for (const other of [
    event(['Other']),
    event([]),
    { source: 'aws.ses' },
    { ...event(['Mail']), source: 'x' },
  ]) {
    expect(matchesPattern(other, pattern)).toBe(false);
  }
});

test.each([
  ['cron', { ScheduleExpression: 'cron(0 12 * * ? *)' }, 'only rate(…) is supported'],
  [
    'another target',
    { ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: 'arn:aws:sqs:x' }] },
    'no function',
  ],
  [
    'an input',
    { ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: FUNCTION_ARN, Input: '{}' }] },
    'changes its event',
  ],
])('%s fails the start with a clear message', (_, properties, complaint) => {
  expect(() => read(properties)).toThrow(complaint);
});

describe('a running schedule', () => {
  const schedule = { logicalId: 'Sweep', ruleArn: RULE_ARN, functionArn: FUNCTION_ARN, everyMilliseconds: 5 };
  let closers: Closers;
  beforeEach(() => {
    closers = makeClosers();
  });
  afterEach(() => closers.close());

  function start(
    response: () => Promise<string>,
    checkRule = () => undefined as undefined,
    aheadMilliseconds?: number,
  ) {
    const events: Record<string, unknown>[] = [];
    const opened: string[] = [];
    const printed: string[] = [];
    const pools = {
      open: (arn: string) => void opened.push(arn),
      invoke: (arn: string, event: string) => {
        events.push({ ...JSON.parse(event), arn });
        return response();
      },
    };
    const print = (line: string) => void printed.push(line);
    const access = { checkRule };
    startSchedules({ schedules: [schedule], pools, access, print, aheadMilliseconds }, closers);
    return { events, opened, printed };
  }

  test('invokes its function with EventBridge’s event repeatedly, until it is closed', async () => {
    const { events, opened } = start(async () => 'null');
    await waitFor(() => events.length >= 3);
    expect(opened).toEqual([FUNCTION_ARN]);
    expect(events[0]).toEqual({
      arn: FUNCTION_ARN,
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'us-east-1',
      resources: [RULE_ARN],
      detail: {},
    });
    await closers.close();
    const sofar = events.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(events).toHaveLength(sofar);
  });

  test('can run ahead of the clock', async () => {
    const { events } = start(async () => 'null', undefined, 24 * 60 * 60 * 1000);
    await waitFor(() => events.length >= 1);
    const ahead = Date.parse(String(events[0]?.time)) - Date.now();
    expect(ahead / 3_600_000).toBeCloseTo(24, 1);
  });

  test('goes on after a failure, and prints it', async () => {
    const { events, printed } = start(async () => {
      throw new Error('it failed');
    });
    await waitFor(() => events.length >= 2);
    expect(printed[0]).toBe('Sweep: it failed');
  });

  test('does not start without the permission', () => {
    const refuse = () => {
      throw new Error('not permitted');
    };
    expect(() => start(async () => 'null', refuse)).toThrow('not permitted');
  });
});
