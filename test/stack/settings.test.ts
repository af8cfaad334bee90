import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { isCdkKey, keysForAllApps } from '../../lib/context/kinds.ts';
import { type ContextKey, SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import { type DeployEnvironment, readSettings } from '../../lib/context.ts';

type Context = Record<string, unknown>;

const read = (context: Context, surroundings?: DeployEnvironment) =>
  readSettings(new App({ context }).node, surroundings);

const SECRET = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:team/provider-AbCdEf';
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const KNOWN = Object.keys(SETTINGS_SCHEMA).join(', ');

const CERTIFICATE = 'arn:aws:acm:eu-west-1:111122223333:certificate/0aa0';
/** For each key, what it does not take. */
const REFUSED: Readonly<Record<keyof typeof SETTINGS_SCHEMA, readonly unknown[]>> = {
  stage: ['staging', 'Prod', '', 'toString', 1, {}],
  alarmEmail: ['nobody', 'a@b', 'a@example.com, b@example.com', 'a b@example.com', 5],
  ingestDomainName: ['Leads.example.com', 'https://leads.example.com', '*.example.com', 'example.com.', 'a'],
  ingestCertificateArn: ['0aa0', 'arn:aws:iam::111122223333:server-certificate/x', `${CERTIFICATE} `],
  alarms: ['off', 1],
  dashboard: ['yes', 0],
  console: ['no', 0, 'False'],
  consoleDomainName: ['console', '-a.example.com', '10.0.0.1'],
  consoleCertificateArn: [CERTIFICATE, 'arn:aws:acm:us-east-1:1:certificate/x'],
  consoleFirewall: ['on', 0],
  consoleRequestsPerMinuteByAddress: ['99', 2_000_001, 'many'],
  consoleWebAclArn: [
    'console',
    'arn:aws:wafv2:eu-west-1:111122223333:global/webacl/console/1234',
    'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/console/1234',
  ],
  hostedZoneId: ['example.com', 'z012', '/hostedzone/Z012'],
  hostedZoneName: ['com', 'exa mple.com'],
  ingestFirewall: ['yes', 1, 'TRUE'],
  requestsPerMinuteByAddress: ['1999', 0, 2_000_001, '1e4', '10 000'],
  requestsPerMinuteByAddressAndPath: ['1999', -1, 2_000_001, 'none'],
  apiRequestsPerSecond: ['249', 1_000_001, '2.5', ''],
  enrichmentProviderUrl: ['http://provider.example', 'provider.example', 'https://'],
  // The last two are partial: a policy on them allows nothing.
  enrichmentProviderSecretArn: [
    'my-secret',
    SECRET.replace('secretsmanager', 'ssm'),
    SECRET.slice(0, -1),
    SECRET.slice(0, -7),
  ],
  enrichmentProviderKeyArn: ['alias/provider', KEY.replace('key/', 'alias/'), `${KEY}/x`],
  enrichmentConcurrency: ['1', 1, 1_001, '2.5', 2.5, '', ' 5', 'many', '1e2', true],
  mailFrom: ['leads', 'leads@example', 'Leads <leads@example.com>', 'a@example.com,b@example.com', 5],
  dispatchConcurrency: ['1', 1_001, 'many'],
  sendingConcurrency: ['1', 1, 1_001, '2.5', 2.5, '', ' 5', 'many', '1e2', true],
  slowLaneConcurrency: ['1', 1_001, 'many'],
  indexConcurrency: ['1', 1_001, 'many'],
  smallAccount: ['yes', 1, '10'],
  eventBus: ['yes', 1, 'TRUE', 'default'],
  ownerThreatProtection: ['on'],
  deployDespiteAlarms: ['yes'],
  manageApiGatewayAccount: ['maybe', 0],
  tags: [
    ...['team', '{"team":', '{"team":1}', '["team"]', 'aws:team=x', 'AWS:team=x', 'stage=x', 'service=x'],
    ...['a=1,a=2', '=x', 'a=b;c', `${'k'.repeat(129)}=x`, { team: null }, [], 5],
    Array.from({ length: 41 }, (_, index) => `k${index}=v`).join(','),
  ],
};

test.each(Object.entries(REFUSED))(
  'another value of %s is refused with the key, what is allowed, and what was given',
  (key, values) => {
    const { allowed } = SETTINGS_SCHEMA[key as keyof typeof SETTINGS_SCHEMA];
    for (const value of values) {
      const sentence = `Context "${key}" must be ${allowed}, but is ${JSON.stringify(value)}.`;
      expect(() => read({ [key]: value })).toThrow(new Error(sentence));
    }
  },
);

describe('an unknown key', () => {
  test.each([
    ['stge', 'stage'],
    ['ingestDomain', 'ingestDomainName'],
    ['alarm-email', 'alarmEmail'],
    ['tag', 'tags'],
  ])('%s is refused, and %s suggested', (typed, meant) => {
    const sentence = `Unknown context key "${typed}". Did you mean "${meant}"? Known keys: ${KNOWN}.`;
    expect(() => read({ [typed]: 'x' })).toThrow(new Error(sentence));
  });

  test.each(['colour', 'toString', '__proto', 'minTls'])('%s is refused without a guess', (typed) => {
    const sentence = `Unknown context key "${typed}". Known keys: ${KNOWN}.`;
    expect(() => read({ [typed]: 'x' })).toThrow(new Error(sentence));
  });

  test('stops synthesis with one line for the person who typed it', () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ['bin/lead-ingest.ts'], {
      env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage: 'prod', alarmMail: 'x' }) },
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `Unknown context key "alarmMail". Did you mean "alarmEmail"? Known keys: ${KNOWN}.\n`,
    );
  });
});

describe('what is for CDK passes', () => {
  test.each([
    'aws:cdk:enable-path-metadata',
    'aws:cdk:bundling-stacks',
    '@aws-cdk/core:bootstrapQualifier',
    '@aws-cdk-containers/ecs-service-extensions:enableDefaultLogDriver',
    'availability-zones:account=111122223333:region=eu-west-1',
    'hosted-zone:account=111122223333:domainName=example.com:region=eu-west-1',
    'acknowledged-issue-numbers',
    'cli-telemetry',
  ])('%s', (key) => {
    expect(() => read({ [key]: 'whatever' })).not.toThrow();
  });

  test('all that cdk.json sets', () => {
    const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
    expect(() => read(context)).not.toThrow();
  });

  test('no key of this app is taken for one of CDK', () => {
    expect(Object.keys(SETTINGS_SCHEMA).filter(isCdkKey)).toEqual([]);
  });

  test('what a person gives to every app in ~/.cdk.json, as far as this one does not know it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdk-json-'));
    const file = join(folder, '.cdk.json');
    writeFileSync(file, JSON.stringify({ profile: 'x', context: { costCentre: '42' } }));
    const forAll = keysForAllApps(file);
    rmSync(folder, { recursive: true });
    expect(forAll).toEqual(new Set(['costCentre']));
    expect(() => read({ costCentre: '42' }, { keysForAllApps: forAll })).not.toThrow();
    expect(() => read({ costCentre: '42' })).toThrow('Unknown context key "costCentre".');
    expect(keysForAllApps(file)).toEqual(new Set());
  });
});

describe('tags', () => {
  test.each<[unknown]>([
    ['team=growth,cost-centre=42'],
    [' team = growth , cost-centre=42'],
    ['{"team":"growth","cost-centre":"42"}'],
    [{ team: 'growth', 'cost-centre': '42' }],
  ])('%j are two', (tags) => {
    expect(read({ tags }).tags).toEqual({ team: 'growth', 'cost-centre': '42' });
  });

  test('a value may hold an equals sign, or nothing', () => {
    expect(read({ tags: 'query=a=b,empty=' }).tags).toEqual({ query: 'a=b', empty: '' });
  });
});

test('docs/deploy.md explains every key as the schema does, and no other', () => {
  const rows = Object.entries<ContextKey<unknown>>(SETTINGS_SCHEMA).map(([key, schema]) => {
    const byDefault = schema.byDefault === undefined ? (schema.byDefaultInWords ?? 'none') : schema.byDefault;
    return `| \`${key}\` | ${schema.allowed} | ${byDefault} | ${schema.explanation} |`;
  });
  const [, section = ''] = readFileSync('docs/deploy.md', 'utf8').split('\n## Settings\n');
  const table = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  expect(table).toEqual(rows);
});
