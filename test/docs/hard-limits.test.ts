import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { asText, EVERY_SETTING, synthesizeBoth, synthesizeWhole } from '../stack/synthesize.ts';

/** The most that the settings can make. */
const template = synthesizeWhole('prod', EVERY_SETTING);
const { main, nested } = synthesizeBoth('prod', EVERY_SETTING);
const STACKS = { 'the main stack': main.toJSON(), 'the nested stack': nested?.toJSON() ?? {} };

type Limit = readonly [what: string, limit: number, used: number];

/** Of the stack that uses most of it. */
function ofStack(what: string, limit: number, count: (json: Properties) => number): Limit {
  const used = Object.entries(STACKS).map(([name, json]) => [name, count(json)] as const);
  const [[name, most] = ['none', 0]] = used.sort(([, one], [, other]) => other - one);
  return [`${what}: ${name}`, limit, most];
}

const sizeOf = (part: object | undefined) => Object.keys(part ?? {}).length;

// biome-ignore lint/suspicious/noExplicitAny: templates have no types
type Properties = Record<string, any>;

const of = (type: string): Properties[] =>
  Object.values(template.findResources(`AWS::${type}`)).map(({ Properties = {} }) => Properties);

const most = (counts: readonly number[]) => Math.max(0, ...counts);

/** How many resources name the same other resource in this property. */
function mostFor(type: string, property: string): number {
  return most(
    [...Map.groupBy(of(type), (each) => asText(each[property])).values()].map(({ length }) => length),
  );
}

/** IAM counts no spaces. */
const lengthOf = (policy: unknown) => JSON.stringify(policy).length;

function longestRole(): number {
  const roles = Map.groupBy(
    of('IAM::Policy').flatMap(({ Roles, PolicyDocument }) =>
      Roles.map((role: unknown) => ({ role: asText(role), PolicyDocument })),
    ),
    ({ role }) => role,
  );
  return most(
    [...roles.values()].map((policies) =>
      policies.reduce((sum, { PolicyDocument }) => sum + lengthOf(PolicyDocument), 0),
    ),
  );
}

interface Widget {
  readonly properties: { readonly alarms?: readonly unknown[] };
}

function mostAlarmsInWidget(): number {
  const bodies = of('CloudWatch::Dashboard').map(({ DashboardBody }) => asText(DashboardBody));
  const widgets = bodies.flatMap((body) => JSON.parse(body).widgets as Widget[]);
  return most(widgets.map(({ properties }) => properties.alarms?.length ?? 0));
}

/** A permission in a function's policy takes about this many bytes, of 20 KB. */
const PERMISSION_BYTES = 400;

/** What AWS does not raise, or not soon enough, and how much of it the stack uses. */
const LIMITS: readonly Limit[] = [
  ofStack('Resources of a stack', 500, ({ Resources }) => sizeOf(Resources)),
  ofStack('Kilobytes of a template', 1_000, (json) => Math.round(JSON.stringify(json).length / 1_000)),
  ofStack('Outputs of a stack', 200, ({ Outputs }) => sizeOf(Outputs)),
  ofStack('Parameters of a stack', 200, ({ Parameters }) => sizeOf(Parameters)),
  ['Alarms in a widget', 100, mostAlarmsInWidget()],
  [
    'Metrics of an alarm',
    10,
    most(
      of('CloudWatch::Alarm').map(
        ({ Metrics = [] }) => Metrics.filter((each: Properties) => each.MetricStat !== undefined).length,
      ),
    ),
  ],
  ['Characters of a role’s inline policies', 10_240, longestRole()],
  [
    'Characters of a managed policy',
    6_144,
    most(of('IAM::ManagedPolicy').map(({ PolicyDocument }) => lengthOf(PolicyDocument))),
  ],
  [
    'Permissions to call a function',
    Math.floor(20_480 / PERMISSION_BYTES),
    mostFor('Lambda::Permission', 'FunctionName'),
  ],
  ['Routes of an HTTP API', 300, mostFor('ApiGatewayV2::Route', 'ApiId')],
  ['Resources of a REST API', 300, mostFor('ApiGateway::Resource', 'RestApiId')],
  [
    'Filters of an event source',
    5,
    most(of('Lambda::EventSourceMapping').map(({ FilterCriteria }) => FilterCriteria?.Filters.length ?? 0)),
  ],
];

const count = (value: number) => value.toLocaleString('en-US');

test('docs/scale.md says how far each hard limit is', () => {
  const [, section = ''] = readFileSync('docs/scale.md', 'utf8').split('\n## Hard limits');
  const found = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  // Paste what is expected here over the table there.
  expect(found.join('\n')).toBe(
    [
      '| What | Limit | Used | |',
      '|---|---:|---:|---:|',
      ...LIMITS.map(
        ([what, limit, used]) =>
          `| ${what} | ${count(limit)} | ${count(used)} | ${Math.round((100 * used) / limit)} % |`,
      ),
    ].join('\n'),
  );
});

test('docs/deploy.md says how many resources the stack has', () => {
  const plain = sizeOf(synthesizeBoth('prod').main.toJSON().Resources);
  const all = sizeOf(main.toJSON().Resources);
  expect(readFileSync('docs/deploy.md', 'utf8')).toContain(
    `The \`prod\` stack has ${plain} resources, and ${all} with every setting. CloudFormation allows 500`,
  );
});

test.each(LIMITS)('%s: room is made before 95 % are used', (_what, limit, used) => {
  expect(used).toBeGreaterThan(0);
  expect(used / limit).toBeLessThan(0.95);
});
