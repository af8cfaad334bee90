import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { IDLE_POLLS_A_MONTH, MONTHLY_PRICES } from '../../bench/cost/monthly-prices.ts';
import { PRICES } from '../../bench/cost/prices.ts';
import { synthesise } from '../stack/synthesise.ts';

const resources = (template: Template, type: string) =>
  Object.values(template.findResources(`AWS::${type}`)).map(({ Properties }) => Properties);

/** An alarm over several metrics is billed by metric. */
function metricsOf(template: Template): number {
  const metrics = resources(template, 'CloudWatch::Alarm').map(({ Metrics }) =>
    Array.isArray(Metrics) ? Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length : 1,
  );
  return metrics.reduce((sum, count) => sum + count, 0);
}

function queuesRead(template: Template): number {
  return resources(template, 'Lambda::EventSourceMapping').filter(({ EventSourceArn }) =>
    JSON.stringify(EventSourceArn).includes('Queue'),
  ).length;
}

/** Each line of the bill: what it is, what one costs, and how many the template has. */
const LINES: readonly [string, number, (template: Template) => number][] = [
  ['KMS key', MONTHLY_PRICES.kmsKey, (it) => resources(it, 'KMS::Key').length],
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
  ['queue that Lambda asks for messages', IDLE_POLLS_A_MONTH * PRICES.sqsRequest, queuesRead],
];

function table(): string {
  const [dev, prod] = [synthesise('dev'), synthesise('prod')];
  let [devTotal, prodTotal] = [0, 0];
  const rows = LINES.map(([what, price, count]) => {
    devTotal += count(dev) * price;
    prodTotal += count(prod) * price;
    return `| ${what} | ${price.toFixed(2)} | ${count(dev)} | ${count(prod)} |`;
  });
  return [
    '| what | each | in `dev` | in `prod` |',
    '|---|---|---|---|',
    ...rows,
    `| **a month** |  | **${devTotal.toFixed(2)}** | **${prodTotal.toFixed(2)}** |`,
  ].join('\n');
}

test('docs/deploy.md says what the stack costs when nobody uses it', () => {
  const [, section = ''] = readFileSync('docs/deploy.md', 'utf8').split('\n## What it costs');
  const found = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  // Paste what is expected here over the table there.
  expect(found.join('\n')).toBe(table());
});
