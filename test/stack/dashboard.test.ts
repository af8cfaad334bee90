import { describe, expect, test } from '@jest/globals';
import { REASONS } from '#model/reasons.ts';
import {
  type AlarmProperties,
  alarmsOf,
  emittedMetrics,
  identityOf,
  METRIC_NAMES,
  metricsOf,
} from './metrics-in-use.ts';
import { asText, EVERY_SETTING, LEAST, synthesizeWhole } from './synthesize.ts';

const dev = synthesizeWhole('dev', EVERY_SETTING);
const prod = synthesizeWhole('prod');

describe.each(Object.entries({ dev, prod }))('the dashboard of %s', (stage, template) => {
  interface Widget {
    readonly type: string;
    readonly width: number;
    readonly height: number;
    readonly properties: {
      readonly title?: string;
      readonly markdown?: string;
      readonly alarms?: readonly string[];
      readonly metrics?: readonly (readonly (string | Readonly<Record<string, unknown>>)[])[];
    };
  }

  const [dashboard] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
  const { widgets } = JSON.parse(asText(dashboard?.Properties.DashboardBody)) as { widgets: Widget[] };
  const lines = widgets.flatMap(({ properties }) => properties.metrics ?? []);

  test('begins with every alarm, each once', () => {
    const first = widgets.slice(0, 2).map(({ properties }) => properties.alarms ?? []);
    expect(new Set(first.flat()).size).toBe(alarmsOf(template).length);
    expect(first.flat()).toHaveLength(alarmsOf(template).length);
  });

  /** CloudWatch's quotas. Metrics that a formula uses count too, and so does what a search finds. */
  test('stays within the limits of CloudWatch, with room for a dozen more functions', () => {
    const metricsIn = ({ properties }: Widget) =>
      (properties.metrics ?? []).map((line) =>
        JSON.stringify(line).includes('SEARCH(') ? REASONS.length : 1,
      );
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    const sizes = widgets.map((widget) => ({
      title: widget.properties.title ?? widget.properties.markdown,
      alarms: widget.properties.alarms?.length ?? 0,
      metrics: sum(metricsIn(widget)),
    }));
    expect(sizes.filter(({ alarms, metrics }) => alarms > 100 - 24 || metrics > 500 - 24)).toEqual([]);
    expect(sum(sizes.map(({ metrics }) => metrics))).toBeLessThanOrEqual(2_500 - 12 * 24);
    expect(sizes.length).toBeLessThanOrEqual(500);
    expect(widgets.filter(({ width, height }) => width > 24 || height > 1_000)).toEqual([]);
  });

  const shown = lines.flatMap((line) => {
    const [namespace, name, ...dimensions] = line.filter((it) => typeof it === 'string');
    if (namespace?.startsWith('LeadIngest') !== true || name === undefined) return [];
    const pairs = dimensions.flatMap((key, index) =>
      index % 2 === 0 ? [[key, dimensions[index + 1] as string] as const] : [],
    );
    return [{ namespace, name, identity: identityOf(name, Object.fromEntries(pairs)) }];
  });

  test('shows only metrics that are emitted, with their names and dimensions', async () => {
    const emitted = await emittedMetrics();
    expect(shown.length).toBeGreaterThan(20);
    for (const { namespace, name } of shown) {
      expect(namespace).toBe(`LeadIngest/${stage}`);
      expect(METRIC_NAMES).toContain(name);
    }
    expect(shown.map(({ identity }) => identity).filter((it) => !emitted.has(it))).toEqual([]);
  });

  // Each is a custom metric, billed per month.
  test('and the alarms use every metric that the functions emit', async () => {
    const watched = alarmsOf(template).flatMap(metricsOf);
    const read = new Set([
      ...watched.map(({ name, dimensions }) => identityOf(name, dimensions)),
      ...shown.map(({ identity }) => identity),
    ]);
    // Found by the searches below.
    const byReason = /^Rejected reason=\w+ surface=(?:1a|1b|1c|2)$/;
    expect([...(await emittedMetrics())].filter((it) => !read.has(it) && !byReason.test(it))).toEqual([]);
  });

  test('searches for rejections by reason under their real name', async () => {
    const searches = lines.flatMap((line) => {
      const { expression } = (line[0] ?? {}) as { expression?: unknown };
      return typeof expression === 'string' && expression.startsWith('SEARCH') ? [expression] : [];
    });
    const where = (surface: string) =>
      `SEARCH('{LeadIngest/${stage},surface,reason} MetricName="Rejected" surface="${surface}"', 'Sum', 300)`;
    expect(searches).toEqual([where('1a'), where('1b'), where('1c'), where('2')]);
    expect(await emittedMetrics()).toContain('Rejected reason=form_not_found surface=1a');
  });
});

describe('the topic', () => {
  const [topic] = Object.values(prod.findResources('AWS::SNS::Topic'));
  const [policy] = Object.values(prod.findResources('AWS::SNS::TopicPolicy'));
  const statements: AlarmProperties[] = policy?.Properties.PolicyDocument.Statement ?? [];

  test('is encrypted with a key that CloudWatch may use, so that alarms arrive', () => {
    const keyId = topic?.Properties.KmsMasterKeyId['Fn::GetAtt'][0];
    const key = prod.findResources('AWS::KMS::Key')[keyId]?.Properties;
    expect(key.EnableKeyRotation).toBe(true);
    expect(key.KeyPolicy.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      }),
    );
  });

  test('accepts only the alarms of this stage, over TLS', () => {
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed.map(({ Principal, Action }) => ({ Principal, Action }))).toEqual([
      { Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' },
    ]);
    expect(asText(allowed[0]?.Condition.ArnLike['aws:SourceArn'])).toMatch(/:alarm:lead-ingest-prod-\*$/);
    const denied = statements.filter(({ Effect }) => Effect === 'Deny');
    expect(JSON.stringify(denied)).toContain('"aws:SecureTransport":"false"');
  });

  test('notifies an address if there is one', () => {
    prod.resourceCountIs('AWS::SNS::Subscription', 0);
    const told = { Protocol: 'email', Endpoint: EVERY_SETTING.alarmEmail };
    dev.hasResourceProperties('AWS::SNS::Subscription', told);
  });
});

describe("the filter of API Gateway's own responses", () => {
  const [filter] = Object.values(prod.findResources('AWS::Logs::MetricFilter'));
  const [stage] = Object.values(prod.findResources('AWS::ApiGateway::Stage'));

  test('reads the access log of the ingest API, by fields that exist in it', () => {
    const { LogGroupName, FilterPattern } = filter?.Properties ?? {};
    expect(asText(stage?.Properties.AccessLogSetting.DestinationArn)).toContain(asText(LogGroupName));
    const format = JSON.parse(stage?.Properties.AccessLogSetting.Format) as Record<string, string>;
    expect(format).toMatchObject({
      errorResponseType: '$context.error.responseType',
      // The status of Lambda, not that of the function's response.
      integrationStatus: '$context.integrationStatus',
    });
    const used = [...FilterPattern.matchAll(/\$\.(\w+)/g)].map(([, name]) => name as string);
    expect(Object.keys(format)).toEqual(expect.arrayContaining([...new Set(used)]));
  });

  test('makes a metric that the contract names', () => {
    const [transformation] = filter?.Properties.MetricTransformations ?? [];
    expect(transformation).toMatchObject({ MetricNamespace: 'LeadIngest/prod', MetricValue: '1' });
    expect(METRIC_NAMES).toContain(transformation.MetricName);
    expect(transformation.Dimensions).toBeUndefined();
  });
});

describe('the settings', () => {
  const count = (template: typeof prod, type: string) =>
    Object.keys(template.findResources(`AWS::${type}`)).length;
  const MONITORING = ['CloudWatch::Alarm', 'CloudWatch::Dashboard', 'CloudFormation::Stack', 'SNS::Topic'];
  const counts = (template: typeof prod) => MONITORING.map((type) => count(template, type));

  test('a dashboard is made in prod, elsewhere if asked for', () => {
    expect(count(prod, 'CloudWatch::Dashboard')).toBe(1);
    expect(count(dev, 'CloudWatch::Dashboard')).toBe(1);
    expect(count(synthesizeWhole('dev'), 'CloudWatch::Dashboard')).toBe(0);
    expect(count(synthesizeWhole('prod', LEAST), 'CloudWatch::Dashboard')).toBe(0);
  });

  test('without alarms there is neither their topic nor its key, and without a dashboard no nested stack', () => {
    const quiet = synthesizeWhole('dev', { alarms: 'false' });
    expect(counts(quiet)).toEqual([0, 0, 0, 0]);
    expect(Object.keys(quiet.findResources('AWS::KMS::Key'))).not.toContain('AlarmKey');
  });
});

test('the alarm of the web ACL exists with it, and uses its metric name', () => {
  const [acl] = Object.values(prod.findResources('AWS::WAFv2::WebACL'));
  const alarmsOn = (template: typeof dev) =>
    alarmsOf(template).filter(({ AlarmName }) => AlarmName.endsWith('WebAclBlocks'));
  expect(alarmsOn(synthesizeWhole('dev'))).toEqual([]);
  const [metric] = alarmsOn(prod).flatMap(metricsOf);
  expect(metric?.dimensions).toEqual({
    WebACL: acl?.Properties.VisibilityConfig.MetricName,
    Rule: 'ALL',
    Region: `\${AWS::Region}`,
  });
});
