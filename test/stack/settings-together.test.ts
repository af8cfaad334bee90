import { expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { type DeployEnvironment, readSettings } from '../../lib/context.ts';

const read = (context: Record<string, unknown>, surroundings?: DeployEnvironment) =>
  readSettings(new App({ context }).node, surroundings);

const INGEST = {
  ingestDomainName: 'leads.example.com',
  ingestCertificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/0aa0',
};
const CONSOLE = {
  consoleDomainName: 'console.example.com',
  consoleCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0bb0',
};
const SECRET = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:team/provider-AbCdEf';
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const PROVIDER = { enrichmentProviderUrl: 'https://provider.example', enrichmentProviderSecretArn: SECRET };
const ZONE = { hostedZoneId: 'Z0123456789ABC', hostedZoneName: 'example.com' };

const WEB_ACL = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/console/1234abcd';
const IN_ZONE = 'must be example.com or end with .example.com, as "hostedZoneName" says, but is';
const NOT_SMALL = 'has no effect with "smallAccount": set only one of them.';
const LIMITS = { requestsPerMinuteByAddress: '8000', requestsPerMinuteByAddressAndPath: '9000' };

/** Each sentence is of the key that is to be changed. */
const REFUSED: readonly (readonly [key: string, context: Record<string, unknown>, sentence: string])[] = [
  ['hostedZoneId', ZONE, 'needs "ingestDomainName" or "consoleDomainName".'],
  ...['other.example.org', 'notexample.com'].map(
    (name) =>
      [
        'consoleDomainName',
        { ...CONSOLE, ...ZONE, consoleDomainName: name },
        `${IN_ZONE} "${name}".`,
      ] as const,
  ),
  ...['enrichmentConcurrency', 'indexConcurrency', 'slowLaneConcurrency'].map(
    (key) => [key, { smallAccount: 'true', [key]: '3' }, NOT_SMALL] as const,
  ),
  [
    'alarms',
    { stage: 'prod', alarms: 'false' },
    'must be true in prod, where alarms roll back new code that fails.',
  ],
  ['alarmEmail', { alarms: 'false', alarmEmail: 'ops@example.com' }, 'needs alarms, but "alarms" is false.'],
  ['consoleDomainName', { ...CONSOLE, console: 'false' }, 'needs a console, but "console" is false.'],
  [
    'consoleWebAclArn',
    { consoleWebAclArn: WEB_ACL, console: 'false' },
    'needs a console, but "console" is false.',
  ],
  [
    'consoleWebAclArn',
    { consoleWebAclArn: WEB_ACL, consoleFirewall: 'false' },
    'is a firewall, but "consoleFirewall" is false.',
  ],
  [
    'ingestDomainName',
    { ...INGEST, ...CONSOLE, consoleDomainName: INGEST.ingestDomainName },
    'and "consoleDomainName" must differ.',
  ],
  ['enrichmentProviderKeyArn', { enrichmentProviderKeyArn: KEY }, 'needs "enrichmentProviderSecretArn".'],
  [
    'enrichmentProviderKeyArn',
    { ...PROVIDER, enrichmentProviderKeyArn: KEY.replace('eu-west-1', 'us-east-2') },
    'must be in eu-west-1, the region of the secret, but is in us-east-2.',
  ],
  [
    'requestsPerMinuteByAddressAndPath',
    LIMITS,
    'must be at most 8000, as "requestsPerMinuteByAddress" says, but is 9000.',
  ],
  // Halves of a pair.
  ...Object.entries({ ...INGEST, ...CONSOLE, ...ZONE, ...PROVIDER }).flatMap(([key, value], at, all) =>
    at % 2 === 0 ? [[key, { [key]: value }, `and "${all[at + 1]?.[0]}" must be set together.`] as const] : [],
  ),
];

test.each(REFUSED)('%s is refused with %j: %s', (key, context, sentence) => {
  expect(() => read(context)).toThrow(new Error(`Context "${key}" ${sentence}`));
});

const hostedZone = { id: ZONE.hostedZoneId, name: ZONE.hostedZoneName };

test.each<[context: Record<string, unknown>, settings: object]>([
  [{ smallAccount: 'true', indexConcurrency: '2' }, { smallAccount: true }],
  [
    { stage: 'dev', alarms: 'false' },
    { alarms: false, dashboard: false },
  ],
  [{ stage: 'prod' }, { alarms: true, dashboard: true }],
  [{ ...INGEST, ...ZONE, console: 'false' }, { console: false }],
  [{ consoleWebAclArn: WEB_ACL, stage: 'prod' }, { consoleFirewall: { isMade: false, webAclArn: WEB_ACL } }],
  [
    { ...PROVIDER, enrichmentProviderKeyArn: KEY },
    { enrichmentProvider: { url: 'https://provider.example', secretArn: SECRET, keyArn: KEY } },
  ],
  [{ ...LIMITS, requestsPerMinuteByAddress: '9000' }, {}],
  [
    { ...INGEST, ...CONSOLE, ...ZONE },
    {
      ingestDomain: { name: 'leads.example.com', certificateArn: INGEST.ingestCertificateArn, hostedZone },
      consoleDomain: {
        name: 'console.example.com',
        certificateArn: CONSOLE.consoleCertificateArn,
        hostedZone,
      },
    },
  ],
])('%j is accepted', (context, settings) => {
  expect(read(context)).toMatchObject(settings);
});

test.each([
  ['ingestCertificateArn', INGEST],
  ['enrichmentProviderSecretArn', PROVIDER],
])('%s must be in the region of the stack, if that is known', (key, context) => {
  const sentence = `Context "${key}" must be in us-east-2, the stack's region (from AWS_REGION), but is in eu-west-1.`;
  expect(() => read(context, { region: 'us-east-2' })).toThrow(new Error(sentence));
  expect(() => read(context, { region: 'eu-west-1' })).not.toThrow();
  expect(() => read(context)).not.toThrow();
});
