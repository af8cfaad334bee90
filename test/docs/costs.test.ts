import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { floods, floodTable } from '../../bench/cost/flood.ts';
import {
  dollarsPerMillion,
  IDLE_POLLS_A_MONTH,
  MONTHLY_PRICES,
  PAID_ROTATIONS,
  PRICES,
} from '../../bench/cost/prices.ts';
import { countsOfRun } from '../../lambdas/alerts/watch/handler.ts';
import { emittedMetrics } from '../stack/metrics-in-use.ts';
import { synthesizeWhole } from '../stack/synthesize.ts';

describe('the idle cost', () => {
  const resources = (template: Template, type: string) =>
    Object.values(template.findResources(`AWS::${type}`)).map(({ Properties }) => Properties);

  /** An alarm on several metrics is billed per metric. */
  function metricsOf(template: Template): number {
    const metrics = resources(template, 'CloudWatch::Alarm').map(({ Metrics }) =>
      Array.isArray(Metrics) ? Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length : 1,
    );
    return metrics.reduce((sum, count) => sum + count, 0);
  }

  function queuesRead(template: Template): number {
    const queues = template.findResources('AWS::SQS::Queue');
    return resources(template, 'Lambda::EventSourceMapping').filter(
      ({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0] in queues,
    ).length;
  }

  const ALWAYS_WRITTEN = Object.keys(countsOfRun(0, { opened: 0, closed: 0, failed: 0 })).length;

  /** What it is, what one costs, and how many the template has. */
  type Line = readonly [string, number, (template: Template) => number];

  const keysOf = (template: Template) => resources(template, 'KMS::Key');

  /** Each line of the bill in the first year, if nothing ever happens. */
  const IDLE: readonly Line[] = [
    ['KMS key', MONTHLY_PRICES.kmsKey, (it) => keysOf(it).length],
    ['secret', MONTHLY_PRICES.secret, (it) => resources(it, 'SecretsManager::Secret').length],
    ['web ACL', MONTHLY_PRICES.webAcl, (it) => resources(it, 'WAFv2::WebACL').length],
    [
      'rule of the web ACL',
      MONTHLY_PRICES.webAclRule,
      (it) => resources(it, 'WAFv2::WebACL').flatMap(({ Rules }) => Rules).length,
    ],
    ['metric that an alarm watches', MONTHLY_PRICES.alarm, metricsOf],
    [
      'alarm on other alarms',
      MONTHLY_PRICES.compositeAlarm,
      (it) => resources(it, 'CloudWatch::CompositeAlarm').length,
    ],
    ['dashboard', MONTHLY_PRICES.dashboard, (it) => resources(it, 'CloudWatch::Dashboard').length],
    ['queue that Lambda polls', IDLE_POLLS_A_MONTH * PRICES.sqsRequest, queuesRead],
    ['custom metric of the watch, which always runs', MONTHLY_PRICES.customMetric, () => ALWAYS_WRITTEN],
  ];

  /** Metrics that appear over time and with the first lead: at most, since not every rejection reason occurs. */
  async function later(): Promise<Line[]> {
    const { size } = await emittedMetrics();
    const rotated = (it: Template) => keysOf(it).filter(({ EnableKeyRotation }) => EnableKeyRotation).length;
    return [
      [
        'rotation of a KMS key, for each of the first two',
        MONTHLY_PRICES.kmsKeyRotation,
        (it) => PAID_ROTATIONS * rotated(it),
      ],
      ['other custom metric, while it is written', MONTHLY_PRICES.customMetric, () => size - ALWAYS_WRITTEN],
    ];
  }

  /** By the heading of their column. */
  const STACKS = {
    'in `dev` with `alarms=false`': synthesizeWhole('dev', { alarms: 'false' }),
    'in `dev`': synthesizeWhole('dev'),
    'in `prod`': synthesizeWhole('prod'),
  };

  const totalOf = (template: Template, lines: readonly Line[]) =>
    lines.reduce((sum, [, price, count]) => sum + count(template) * price, 0);

  async function table(): Promise<string> {
    const templates = Object.values(STACKS);
    const lines: Line[] = [];
    const rowOf = (line: Line) => {
      lines.push(line);
      const [what, price, count] = line;
      return `| ${[what, price.toFixed(2), ...templates.map(count)].join(' | ')} |`;
    };
    const totals = (what: string) =>
      `| **${what}** |  | ${templates.map((it) => `**${totalOf(it, lines).toFixed(2)}**`).join(' | ')} |`;
    return [
      `| what | each | ${Object.keys(STACKS).join(' | ')} |`,
      '|---|---|---|---|---|',
      ...IDLE.map(rowOf),
      totals('per month, in the first year'),
      ...(await later()).map(rowOf),
      totals('per month at most, in use, from the third year on'),
    ].join('\n');
  }

  test('docs/deploy.md says what an idle stack costs', async () => {
    const [, section = ''] = readFileSync('docs/deploy.md', 'utf8').split('\n## What it costs');
    const found = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
    // Paste what is expected here over the table there.
    expect(found.join('\n')).toBe(await table());
  });

  test.each([
    ['in `dev` with `alarms=false`', 8],
    ['in `dev`', 12],
    ['in `prod`', 33],
  ] as const)('an idle stack %s costs no more than %i dollars per month', (stack, goal) => {
    const template = STACKS[stack];
    if (stack === 'in `prod`') expect(resources(template, 'WAFv2::WebACL')).toHaveLength(2);
    expect(totalOf(template, IDLE)).toBeGreaterThan(goal / 2);
    expect(totalOf(template, IDLE)).toBeLessThanOrEqual(goal);
  });

  test('docs/deploy.md says what the web ACL costs per request', () => {
    const price = (PRICES.webAclRequest * 1e6).toFixed(2);
    expect(readFileSync('docs/deploy.md', 'utf8')).toContain(
      `The web ACLs are also billed per request: ${price} per million`,
    );
  });

  test('docs/performance.md counts the web ACL for each lead, and says where the custom metrics are', () => {
    const page = readFileSync('docs/performance.md', 'utf8');
    const usage = {
      writeUnits: 0,
      readUnits: 0,
      sqsRequests: 0,
      invocations: 0,
      milliseconds: 0,
      logBytes: 0,
    };
    const waf = dollarsPerMillion(usage).WAF?.toFixed(2);
    expect(page).toContain(`| WAF | ${waf} | ${waf} |`);
    expect(page).toMatch(/Not included, .*\bmonthly costs\b.*\bcustom metrics\b/);
  });
});

describe('the cost of a flood', () => {
  const [, section = ''] = readFileSync('SECURITY.md', 'utf8').split('\n## What a flood costs\n');
  const text = section.split('\n## ')[0] ?? '';

  test('SECURITY.md says what a flood costs and what stops it first', () => {
    const found = text.split('\n').filter((line) => line.startsWith('|'));
    // Paste what is expected here over the table there.
    expect(found.join('\n')).toBe(floodTable());
  });

  test('SECURITY.md says what one address costs if blocked requests are free', () => {
    const [fromOneAddress] = floods();
    const perDay = (rate: number) => (fromOneAddress?.dollars(rate) ?? Number.NaN) * 86_400;
    const blockedPerSecond = 10_000 - 10_000 / 60;
    const without = perDay(10_000) - blockedPerSecond * PRICES.restRequest * 86_400;
    const shown = Number(without.toPrecision(2)).toLocaleString('en');
    expect(text).toContain(`10,000 requests per second from one address cost ${shown} dollars per day`);
  });

  describe.each(floods())('a flood of $target', ({ dollars }) => {
    test('costs more the larger it is, and never more per request', () => {
      const rates = [1, 50, 100, 1_000, 5_000, 10_000, 100_000];
      for (const [index, rate] of rates.entries()) {
        const before = rates[index - 1];
        if (before === undefined) continue;
        expect(dollars(rate)).toBeGreaterThan(dollars(before));
        expect(dollars(rate) / rate).toBeLessThanOrEqual((dollars(before) / before) * (1 + 1e-9));
      }
    });
  });
});
