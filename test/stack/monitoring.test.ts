import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { alarmsOf, emittedMetrics, identityOf, metricsOf, writtenLines } from './metrics-in-use.ts';
import {
  asText,
  EVERY_SETTING,
  LEAST,
  ownFunctions,
  synthesizeWhole,
  WITHOUT_CONSOLE,
} from './synthesize.ts';

const templates = { dev: synthesizeWhole('dev'), prod: synthesizeWhole('prod') } as const;
const STAGES = Object.entries(templates);

const headingOf = (alarmName: string) =>
  /^lead-ingest-(?:dev|prod)-(?:monitoring-)?([A-Za-z]+)(?:-|$)/.exec(alarmName)?.[1];

describe('the runbook', () => {
  // A comment in a block of commands looks like a heading.
  const runbook = readFileSync('docs/runbook.md', 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  /** Alarms are the second-level headings below `# Alarms`. */
  const sections = new Map(
    (runbook.split(/^# /m).find((part) => part.startsWith('Alarms\n')) ?? '')
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')).trim(), section] as const),
  );
  const everyAlarm = STAGES.flatMap(([, template]) => alarmsOf(template));

  const headingsIn = (template: typeof templates.dev) =>
    new Set(alarmsOf(template).map(({ AlarmName }) => headingOf(AlarmName)));

  test.each([
    ['dev', {}],
    ['dev', EVERY_SETTING],
    ['dev', { alarms: 'false' }],
    ['prod', LEAST],
    ['prod', EVERY_SETTING],
    ['prod', WITHOUT_CONSOLE],
  ] as const)('has a section for each alarm of %s with %j', (stage, context) => {
    const headings = headingsIn(synthesizeWhole(stage, context));
    expect([...headings].filter((heading) => !sections.has(heading ?? ''))).toEqual([]);
  });

  test('has no section that nothing in prod calls for', () => {
    expect([...sections.keys()].sort()).toEqual([...headingsIn(templates.prod)].sort());
  });

  test.each([...sections])('says what %s means, how to investigate and what to do', (_heading, section) => {
    const parts = [...section.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, title]) => title);
    expect(parts).toEqual(['What it means.', 'How to investigate.', 'What to do.']);
  });

  test('is where the description of each alarm points', () => {
    for (const { AlarmName, AlarmDescription } of everyAlarm) {
      expect(AlarmDescription).toMatch(
        new RegExp(` docs/runbook\\.md#${headingOf(AlarmName)?.toLowerCase()}$`),
      );
    }
  });

  test('names the dashboard, the topic and the log groups as they are', () => {
    const { prod } = templates;
    const named = (type: string, name: string) =>
      Object.values(prod.findResources(type))
        .map(({ Properties }) => asText(Properties[name]).replace(`\${AWS::Region}`, 'eu-west-1'))
        .join();
    expect(runbook).toContain(
      `**The dashboard** \`${named('AWS::CloudWatch::Dashboard', 'DashboardName')}\``,
    );
    expect(runbook).toContain(`the topic \`${named('AWS::SNS::Topic', 'TopicName')}\``);
    // A group without a fixed name is named after its stack and its logical id.
    const groups = Object.entries(prod.findResources('AWS::Logs::LogGroup')).map(([id, { Properties }]) =>
      Properties.LogGroupName === undefined ? `LeadIngest-prod-${id}` : asText(Properties.LogGroupName),
    );
    const pattern = /`((?:LeadIngest-prod-|\/aws\/vendedlogs\/|API-Gateway-)[\w/-]*)`/g;
    const beginnings = [...runbook.matchAll(pattern)].map(([, name]) => name as string);
    expect(beginnings.filter((name) => !groups.some((group) => group.startsWith(name)))).toEqual([]);
    expect(groups.filter((group) => !beginnings.some((name) => group.startsWith(name)))).toEqual([]);
  });

  describe('queries the logs', () => {
    const blocks = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
    const queries = blocks.filter(([, language]) => language === '').map(([, , query]) => query as string);

    test('for codes that functions write', async () => {
      const written = (await writtenLines()).map(({ code }) => code);
      const codes = queries.flatMap((query) =>
        [...query.matchAll(/"([a-z]+\.[a-z_]+)"/g)].map(([, it]) => it),
      );
      expect(codes.length).toBeGreaterThan(6);
      // The only one of Lambda itself.
      expect(codes.filter((code) => !written.includes(code) && code !== 'platform.report')).toEqual([]);
    });

    test.each(queries.map((query, index) => [index + 1, query] as const))(
      'for existing fields, query %i',
      async (_number, query) => {
        const known = new Set([...(await writtenLines()).flatMap((line) => pathsOf(line)), ...OF_OTHERS]);
        const fields = fieldsOf(query);
        expect(fields).not.toEqual([]);
        expect(fields.filter((field) => !known.has(field))).toEqual([]);
      },
    );
  });
});

/** Fields of access logs, and those that Lambda and CloudWatch add. */
const OF_OTHERS = [
  ...Object.values(templates.prod.findResources('AWS::ApiGateway::Stage')).flatMap(({ Properties }) =>
    Object.keys(JSON.parse(Properties.AccessLogSetting.Format)),
  ),
  ...Object.values(templates.prod.findResources('AWS::ApiGatewayV2::Stage')).flatMap(({ Properties }) =>
    Object.keys(JSON.parse(Properties.AccessLogSettings.Format)),
  ),
  '@timestamp',
  'type',
  'record.requestId',
  'record.status',
  'record.errorType',
  'record.metrics.durationMs',
  'record.metrics.maxMemoryUsedMB',
];

const WORDS_OF_QUERIES = /^(fields|filter|stats|sort|desc|by|as|in|not|like|or|and|count|sum|avg|pct|bin)$/;

/** The field names in a query, without keywords, texts, patterns and names that the query defines. */
function fieldsOf(query: string): string[] {
  const bare = query.replace(/"[^"]*"|\/\^[^/\n]*\/|\bbin\(\w+\)/g, ' ');
  const made = [...bare.matchAll(/\bas (\w+)/g)].map(([, name]) => name);
  const names = bare.match(/@?[A-Za-z_][\w.]*/g) ?? [];
  return names.filter((name) => !WORDS_OF_QUERIES.test(name) && !made.includes(name));
}

/** Field names as in Logs Insights: `cause.error`, `stack.0`. */
function pathsOf(value: object, before = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) => [
    `${before}${key}`,
    ...(typeof inner === 'object' && inner !== null ? pathsOf(inner, `${before}${key}.`) : []),
  ]);
}

describe.each(STAGES)('every alarm of %s', (stage, template) => {
  const alarms = alarmsOf(template);
  const [topicId = 'none'] = Object.keys(template.findResources('AWS::SNS::Topic'));

  test('has a unique name that contains its stage', () => {
    const names = alarms.map(({ AlarmName }) => AlarmName);
    expect(names.every((name) => name.startsWith(`lead-ingest-${stage}-`))).toBe(true);
    expect(new Set(names).size).toBe(names.length);
  });

  test('sends a notification when it fires and when it ends', () => {
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: topicId }], [{ Ref: topicId }]]);
    }
  });

  test('defines missing data: it ends every alarm but that of a schedule, which it starts', () => {
    const others: Readonly<Record<string, string>> = { WatchNotRunning: 'breaching' };
    for (const { AlarmName, TreatMissingData } of alarms) {
      const expected = others[headingOf(AlarmName) ?? ''] ?? 'notBreaching';
      expect(`${AlarmName}: ${TreatMissingData}`).toBe(`${AlarmName}: ${expected}`);
    }
  });

  test('on the age of a stream goes off at the first late batch, and ends an hour after the last', () => {
    const ages = alarms.filter((alarm) => metricsOf(alarm).some(({ name }) => name === 'IteratorAge'));
    expect(ages).toHaveLength(4);
    for (const { Period, DatapointsToAlarm, EvaluationPeriods, Threshold } of ages) {
      expect([DatapointsToAlarm, EvaluationPeriods * Period]).toEqual([1, 3_600]);
      expect(Threshold).toBeLessThanOrEqual(15 * 60 * 1_000);
    }
  });

  test('goes off if the watch did not run for a quarter of an hour, and not because no workspace is active', () => {
    const notRunning = alarms.find(({ AlarmName }) => headingOf(AlarmName) === 'WatchNotRunning');
    // A run without workspaces still reports a value: 0. So its values are counted, not added up.
    expect(notRunning).toMatchObject({
      MetricName: 'WorkspacesWatched',
      Statistic: 'SampleCount',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      Period: 900,
      EvaluationPeriods: 1,
    });
  });

  test('uses metrics that are emitted, in this stage, without workspaces', async () => {
    const emitted = await emittedMetrics();
    const own = alarms.flatMap(metricsOf).filter(({ namespace }) => namespace.startsWith('LeadIngest'));
    expect(own.length).toBeGreaterThan(10);
    for (const { namespace, name, dimensions } of own) {
      expect(namespace).toBe(`LeadIngest/${stage}`);
      expect(emitted).toContain(identityOf(name, dimensions));
    }
  });

  test("uses AWS's metrics with their real dimensions", () => {
    const found = alarms
      .flatMap(metricsOf)
      .filter(({ namespace }) => namespace.startsWith('AWS/'))
      .map(({ namespace, name, dimensions }) => `${namespace} ${name}: ${Object.keys(dimensions).sort()}`);
    expect([...new Set(found)].sort()).toEqual(
      [
        'AWS/ApiGateway 5xx: ApiId',
        'AWS/Lambda Errors: FunctionName',
        'AWS/Lambda IteratorAge: FunctionName',
        'AWS/Lambda Throttles: ',
        'AWS/SQS ApproximateAgeOfOldestMessage: QueueName',
        'AWS/SQS ApproximateNumberOfMessagesVisible: QueueName',
        ...(stage === 'prod' ? ['AWS/WAFV2 BlockedRequests: Region,Rule,WebACL'] : []),
      ].sort(),
    );
  });

  const watched = alarms.flatMap(metricsOf).map(({ name, dimensions }) => identityOf(name, dimensions));

  test('on errors exists for each function', () => {
    const unwatched = Object.keys(ownFunctions(template)).filter(
      (id) => !watched.includes(`Errors FunctionName=\${${id}}`),
    );
    expect(unwatched).toEqual([]);
  });

  test('on a stream exists for each function that follows one', () => {
    const following = Object.values(template.findResources('AWS::Lambda::EventSourceMapping')).filter(
      ({ Properties }) => Properties.StartingPosition,
    );
    const ages = watched.filter((it) => it.startsWith('IteratorAge'));
    expect(new Set(ages).size).toBe(following.length);
  });
});
