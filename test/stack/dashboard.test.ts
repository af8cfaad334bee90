import { describe, expect, test } from '@jest/globals';
import { asText, synthesise } from './synthesise.ts';
import { alarmsOf, metricsOf } from './template-alarms.ts';
import { emittedMetrics, identityOf, METRIC_NAMES } from './written-lines.ts';

const STAGES = Object.entries({ dev: synthesise('dev'), prod: synthesise('prod') });

describe.each(STAGES)('the dashboard of %s', (stage, template) => {
  interface Widget {
    readonly type: string;
    readonly properties: {
      readonly markdown?: string;
      readonly alarms?: readonly string[];
      readonly metrics?: readonly (readonly (string | Readonly<Record<string, unknown>>)[])[];
    };
  }

  const [dashboard] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
  const { widgets } = JSON.parse(asText(dashboard?.Properties.DashboardBody)) as { widgets: Widget[] };
  const lines = widgets.flatMap(({ properties }) => properties.metrics ?? []);

  test('has its region in its name, since one account has one dashboard of a name', () => {
    expect(asText(dashboard?.Properties.DashboardName)).toBe(`lead-ingest-${stage}-\${AWS::Region}`);
  });

  test('asks its questions in this order', () => {
    const questions = widgets.flatMap(({ properties }) => properties.markdown ?? []);
    expect(questions).toEqual([
      '## Are leads getting in?',
      '## How fast?',
      '## Is what comes after the 202 keeping up?',
      '## Do owners get answers?',
      '## What does it cost?',
      '## Which limit is near?',
    ]);
  });

  test('begins with every alarm', () => {
    expect(widgets[0]?.properties.alarms).toHaveLength(alarmsOf(template).length);
  });

  const shown = lines.flatMap((line) => {
    const [namespace, name, ...dimensions] = line.filter((it) => typeof it === 'string');
    if (namespace?.startsWith('LeadIngest') !== true || name === undefined) return [];
    const pairs = dimensions.flatMap((key, index) =>
      index % 2 === 0 ? [[key, dimensions[index + 1] as string] as const] : [],
    );
    return [{ namespace, name, identity: identityOf(name, Object.fromEntries(pairs)) }];
  });

  test('shows what something emits: names and dimensions as they are written', async () => {
    const emitted = await emittedMetrics();
    expect(shown.length).toBeGreaterThan(20);
    for (const { namespace, name } of shown) {
      expect(namespace).toBe(`LeadIngest/${stage}`);
      expect(METRIC_NAMES).toContain(name);
    }
    expect(shown.map(({ identity }) => identity).filter((it) => !emitted.has(it))).toEqual([]);
  });

  // Each is a custom metric, billed by the month.
  test('and the alarms read all that the functions emit', async () => {
    const watched = alarmsOf(template).flatMap(metricsOf);
    const read = new Set([
      ...watched.map(({ name, dimensions }) => identityOf(name, dimensions)),
      ...shown.map(({ identity }) => identity),
    ]);
    // What the searches below find.
    const byReason = /^Rejected reason=\w+ surface=1[ab]$/;
    expect([...(await emittedMetrics())].filter((it) => !read.has(it) && !byReason.test(it))).toEqual([]);
  });

  test('searches for rejections by reason where they are', async () => {
    const searches = lines.flatMap((line) => {
      const { expression } = (line[0] ?? {}) as { expression?: unknown };
      return typeof expression === 'string' && expression.startsWith('SEARCH') ? [expression] : [];
    });
    const where = (surface: string) =>
      `SEARCH('{LeadIngest/${stage},surface,reason} MetricName="Rejected" surface="${surface}"', 'Sum', 300)`;
    expect(searches).toEqual([where('1a'), where('1b')]);
    expect(await emittedMetrics()).toContain('Rejected reason=form_not_found surface=1a');
  });
});
