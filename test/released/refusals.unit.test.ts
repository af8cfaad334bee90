import { describe, expect, test } from '@jest/globals';
import { compare } from '../../lib/upgrade/compare.ts';
import { judge } from '../../lib/upgrade/intended-changes.ts';
import { normalize, type Resource, type Resources } from '../../lib/upgrade/normalize.ts';
import { releasedBundles, releasedTemplates } from './files.ts';

const released = releasedTemplates().find(({ name }) => name === 'prod')?.resources as Resources;
const bundles = releasedBundles();
const contains = (folder: string, text: string) => bundles[folder]?.includes(text) ?? true;

/** Deeply writable. */
type Draft = Record<string, Omit<Resource, 'Properties'> & { Properties: Record<string, never> }>;

/** What is found if only this is changed in the template of the last release. */
function plant(change: (resources: Draft) => unknown) {
  const after = structuredClone(released) as Draft;
  change(after);
  return compare(released, after, contains);
}

/** Logical IDs of what CDK names itself, by how they begin. */
function idOf(prefix: string, type: string): string {
  const found = Object.keys(released).filter((id) => id.startsWith(prefix) && released[id]?.Type === type);
  if (found.length !== 1) throw new Error(`${found.length} resources are called ${prefix}`);
  return found[0] as string;
}

function rename(resources: Draft, from: string, to: string): void {
  const text = JSON.stringify(resources).replaceAll(`"${from}"`, `"${to}"`);
  for (const id of Object.keys(resources)) delete resources[id];
  Object.assign(resources, JSON.parse(text));
}

const LAMBDA = 'AWS::Lambda::Function';
const INGEST_SERVER = idOf('IngestServerFunction', LAMBDA);
const SEARCH_QUEUE = idOf('SearchQueue', 'AWS::SQS::Queue');
const LOGS = idOf('IngestServerLogs', 'AWS::Logs::LogGroup');

test('nothing is refused where nothing changes, or only what no release relies on', () => {
  const found = plant((resources) => {
    Object.assign(resources[INGEST_SERVER]?.Properties ?? {}, { MemorySize: 2048, Timeout: 20 });
    delete resources[idOf('AlertsSchedule', 'AWS::Events::Rule')];
  });
  expect(found).toEqual([]);
});

test.each([
  ['table', 'Leads'],
  ['key', 'FormSecretsKey'],
  ['pool', 'Owners'],
  ['API', 'IngestApi'],
  ['API', 'SettingsApi'],
  ['bucket', 'ConsoleFiles'],
  ['log group', LOGS],
])('%s %s under another logical ID', (what, id) => {
  const found = plant((resources) => rename(resources, id, `${id}2`));
  const message = found.find(({ change }) => change === `removed ${id}`)?.message;
  expect(message).toMatch(new RegExp(`^The ${what} ${id} is gone.* Keep its logical ID`));
  // A new log group loses nothing.
  if (id !== LOGS) expect(found.map(({ change }) => change)).toContain(`new ${id}2`);
});

/** A value that makes CloudFormation replace the resource. */
test.each([
  ['Leads', 'KeySchema', [{ AttributeName: 'formId', KeyType: 'HASH' }]],
  ['Leads', 'TableName', 'leads'],
  ['FormSecretsKey', 'KeySpec', 'RSA_2048'],
  ['Owners', 'AliasAttributes', ['phone_number']],
  ['OwnersClient', 'GenerateSecret', true],
  ['SettingsApi', 'ProtocolType', 'WEBSOCKET'],
  ['ConsoleFiles', 'BucketName', 'console-files'],
  [SEARCH_QUEUE, 'QueueName', 'search'],
  [LOGS, 'LogGroupName', '/lead-ingest/ingest-server'],
])('%s with another %s is replaced', (id, property, value) => {
  const found = plant((resources) => Object.assign(resources[id]?.Properties ?? {}, { [property]: value }));
  expect(found.map(({ change }) => change)).toContain(`replaced ${id} ${property}`);
  const { message } = found.find(({ change }) => change.startsWith('replaced')) ?? {};
  expect(message).toMatch(new RegExp(`^Another ${property} needs another .* than ${id}: .* Undo it`));
});

const indexesIn = ({ Leads }: Draft) =>
  Leads?.Properties.GlobalSecondaryIndexes as unknown as { IndexName: string; KeySchema: unknown }[];

describe('indexes', () => {
  const another = (IndexName: string) => ({
    IndexName,
    KeySchema: [{ AttributeName: 'formId', KeyType: 'HASH' }],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  });

  test('one new index is fine, two at once are not', () => {
    expect(plant((resources) => indexesIn(resources).push(another('one')))).toEqual([]);
    const [found, ...others] = plant((resources) =>
      indexesIn(resources).push(another('one'), another('two')),
    );
    expect(others).toEqual([]);
    expect(found?.change).toBe('indexes Leads');
    expect(found?.message).toMatch('2 changes of indexes of Leads (one, two)');
    expect(found?.message).toMatch('one per release');
  });

  test('a changed one counts twice', () => {
    const found = plant((resources) => {
      const [first] = indexesIn(resources);
      if (first) first.KeySchema = [{ AttributeName: 'leadId', KeyType: 'HASH' }];
    });
    expect(found.map(({ change }) => change)).toEqual(['indexes Leads', 'index Leads byForm']);
  });
});

const grantsIn = (resources: Draft) => {
  const policy = resources[idOf('IngestServerRoleDefaultPolicy', 'AWS::IAM::Policy')]?.Properties;
  return policy?.PolicyDocument as unknown as { Statement: object[] };
};
const variablesIn = (resources: Draft) => {
  const environment = resources[INGEST_SERVER]?.Properties.Environment;
  return (environment as unknown as { Variables: Record<string, string> }).Variables;
};

test('a grant that released code uses', () => {
  const found = plant((resources) => grantsIn(resources).Statement.splice(0, 1));
  expect(found.length).toBeGreaterThan(0);
  for (const { change, message } of found) {
    expect(change).toMatch(new RegExp(`^grant ${INGEST_SERVER} dynamodb:\\w+ \\{\\w+\\.Arn\\}`));
    expect(message).toMatch(`${INGEST_SERVER} may no longer do dynamodb:`);
    expect(message).toMatch('Keep the grant for one more release');
  }
});

test('a grant may become part of a wider one', () => {
  const everything = [{ Effect: 'Allow', Action: '*', Resource: '*' }];
  expect(plant((resources) => Object.assign(grantsIn(resources), { Statement: everything }))).toEqual([]);
});

test('an environment variable that no released code reads may go', () => {
  const before = structuredClone(released) as Draft;
  variablesIn(before).NOBODY_READS_THIS = 'value';
  expect(compare(before, released, contains)).toEqual([]);
  expect(compare(before, released)).toHaveLength(1);
});

test('a queue that released code uses', () => {
  const found = plant((resources) => delete resources[SEARCH_QUEUE]);
  const own = found.find(({ change }) => change === `removed ${SEARCH_QUEUE}`);
  expect(own?.message).toMatch(/The queue SearchQueue\w+ is gone .* \(.*SettingsApiSettings.*\)/);
  expect(own?.message).toMatch('Keep it for one more release');
});

/** Each is all that is found. */
test.each<[change: string, (resources: Draft) => unknown, message: RegExp]>([
  [
    'index Leads byForm',
    (resources) => indexesIn(resources).pop(),
    /released code still reads it \(.*SettingsApiSettings.*\).* one release after the code that reads it/,
  ],
  [
    `variable ${INGEST_SERVER} LEADS_TABLE`,
    (resources) => delete variablesIn(resources).LEADS_TABLE,
    /Keep it for one more release/,
  ],
  [
    'schema Owners team',
    ({ Owners }) => {
      const schema = Owners?.Properties.Schema as unknown as object[];
      schema.push({ Name: 'team', AttributeDataType: 'String', Mutable: true });
    },
    /^The attribute team of Owners .* Keep attributes as they are/,
  ],
  [
    'stream Leads',
    ({ Leads }) =>
      Object.assign(Leads?.Properties.StreamSpecification ?? {}, { StreamViewType: 'KEYS_ONLY' }),
    /from NEW_IMAGE to KEYS_ONLY.* Keep its view/,
  ],
])('%s', (expected, change, message) => {
  const [found, ...others] = plant(change);
  expect(found?.change).toBe(expected);
  expect(found?.message).toMatch(message);
  expect(others).toEqual([]);
});

test('what is intended is not refused, and an entry that matches nothing is named', () => {
  const found = plant((resources) => delete resources.Leads);
  const entry = (change: string) => ({ change, reason: 'because', rest: '1.1.0: the rest' });
  const { refused, unmatched } = judge(found, [entry('removed Leads'), entry('removed Nothing')]);
  expect(refused.map(({ change }) => change)).not.toContain('removed Leads');
  expect(judge(found, []).refused.map(({ change }) => change)).toContain('removed Leads');
  expect(unmatched).toEqual(['removed Nothing']);
});

test('a normalized template has no hashes, alarms, texts or parts of CDK', () => {
  const version = `IngestCurrentVersion426116EE${'84856a44b3841f0ab540c5c8336bd148'}`;
  const hash = 'c7995c63';
  const template = {
    Resources: {
      [version]: { Type: 'AWS::Lambda::Version' },
      Live: { Type: 'AWS::Lambda::Alias', Properties: { V: { 'Fn::GetAtt': [version, 'Version'] } } },
      Ingest: {
        Type: LAMBDA,
        Metadata: { 'aws:cdk:path': 'x' },
        Properties: { Description: 'text', Code: { S3Key: `${hash}.zip` } },
      },
      Alarm: { Type: 'AWS::CloudWatch::Alarm' },
      CustomCDKBucketDeployment8693: { Type: LAMBDA },
      Layer: { Type: 'AWS::Lambda::LayerVersion' },
      CDKMetadata: { Type: 'AWS::CDK::Metadata' },
    },
  };
  expect(normalize(template, new Map([[hash, 'submission/ingest-server']]))).toEqual({
    IngestCurrentVersion426116EE: { Type: 'AWS::Lambda::Version', Properties: {} },
    Live: {
      Type: 'AWS::Lambda::Alias',
      Properties: { V: { 'Fn::GetAtt': ['IngestCurrentVersion426116EE', 'Version'] } },
    },
    Ingest: { Type: LAMBDA, Properties: { Code: { S3Key: 'submission/ingest-server' } } },
  });
});
