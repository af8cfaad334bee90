import { describe, expect, test } from '@jest/globals';
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

describe('combinations of settings', () => {
  test.each([
    ['enrichmentProviderUrl', 'https://provider.example', 'enrichmentProviderSecretArn'],
    ['ingestDomainName', INGEST.ingestDomainName, 'ingestCertificateArn'],
    ['consoleDomainName', CONSOLE.consoleDomainName, 'consoleCertificateArn'],
    ['hostedZoneId', ZONE.hostedZoneId, 'hostedZoneName'],
  ])('%s %s is refused without %s', (key, value, other) => {
    expect(() => read({ [key]: value })).toThrow(
      new Error(`Context "${key}" and "${other}" must be set together.`),
    );
  });

  test('a small account excludes more concurrency than the least', () => {
    for (const key of ['enrichmentConcurrency', 'indexConcurrency', 'slowLaneConcurrency']) {
      expect(() => read({ smallAccount: 'true', [key]: '3' })).toThrow(
        new Error(`Context "${key}" has no effect with "smallAccount": set only one of them.`),
      );
    }
    expect(read({ smallAccount: 'true', indexConcurrency: '2' })).toMatchObject({ smallAccount: true });
  });

  test('a zone is refused without a domain in it', () => {
    expect(() => read(ZONE)).toThrow(
      new Error('Context "hostedZoneId" needs "ingestDomainName" or "consoleDomainName".'),
    );
  });

  test.each([
    ['other.example.org'],
    // Ends alike, but not at a dot.
    ['notexample.com'],
  ])('%s is refused in the zone of example.com', (consoleDomainName) => {
    expect(() => read({ ...CONSOLE, ...ZONE, consoleDomainName })).toThrow(
      new Error(
        `Context "consoleDomainName" must be example.com or end with .example.com, as "hostedZoneName" says, but is "${consoleDomainName}".`,
      ),
    );
  });

  test('prod is refused without the alarms that roll back new code', () => {
    expect(() => read({ stage: 'prod', alarms: 'false' })).toThrow(
      new Error('Context "alarms" must be true in prod, where alarms roll back new code that fails.'),
    );
    expect(read({ stage: 'dev', alarms: 'false' })).toMatchObject({ alarms: false, dashboard: false });
    expect(read({ stage: 'prod' })).toMatchObject({ alarms: true, dashboard: true });
  });

  test('an address for alarms is refused if there are none', () => {
    expect(() => read({ alarms: 'false', alarmEmail: 'ops@example.com' })).toThrow(
      new Error('Context "alarmEmail" needs alarms, but "alarms" is false.'),
    );
  });

  test('a domain for a console that is switched off is refused', () => {
    expect(() => read({ ...CONSOLE, console: 'false' })).toThrow(
      new Error('Context "consoleDomainName" needs a console, but "console" is false.'),
    );
    expect(read({ ...INGEST, ...ZONE, console: 'false' })).toMatchObject({ console: false });
  });

  test('a web ACL is refused if the console or its firewall is switched off', () => {
    const consoleWebAclArn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/console/1234abcd';
    expect(() => read({ consoleWebAclArn, console: 'false' })).toThrow(
      new Error('Context "consoleWebAclArn" needs a console, but "console" is false.'),
    );
    expect(() => read({ consoleWebAclArn, consoleFirewall: 'false' })).toThrow(
      new Error('Context "consoleWebAclArn" is a firewall, but "consoleFirewall" is false.'),
    );
    expect(read({ consoleWebAclArn, stage: 'prod' }).consoleFirewall).toMatchObject({
      isMade: false,
      webAclArn: consoleWebAclArn,
    });
  });

  test('the same domain for both is refused', () => {
    expect(() => read({ ...INGEST, ...CONSOLE, consoleDomainName: INGEST.ingestDomainName })).toThrow(
      new Error('Context "ingestDomainName" and "consoleDomainName" must differ.'),
    );
  });

  test.each([
    ['ingestCertificateArn', INGEST],
    ['enrichmentProviderSecretArn', PROVIDER],
  ])('%s must be in the region of the stack, if that is known', (key, context) => {
    expect(() => read(context, { region: 'us-east-2' })).toThrow(
      new Error(
        `Context "${key}" must be in us-east-2, the stack's region (from AWS_REGION), but is in eu-west-1.`,
      ),
    );
    expect(() => read(context, { region: 'eu-west-1' })).not.toThrow();
    expect(() => read(context)).not.toThrow();
  });

  test('the key of a secret is refused without the secret, and in another region', () => {
    expect(() => read({ enrichmentProviderKeyArn: KEY })).toThrow(
      new Error('Context "enrichmentProviderKeyArn" needs "enrichmentProviderSecretArn".'),
    );
    const elsewhere = KEY.replace('eu-west-1', 'us-east-2');
    expect(() => read({ ...PROVIDER, enrichmentProviderKeyArn: elsewhere })).toThrow(
      new Error(
        'Context "enrichmentProviderKeyArn" must be in eu-west-1, the region of the secret, but is in us-east-2.',
      ),
    );
    expect(read({ ...PROVIDER, enrichmentProviderKeyArn: KEY }).enrichmentProvider).toEqual({
      url: 'https://provider.example',
      secretArn: SECRET,
      keyArn: KEY,
    });
  });

  test('a limit per path is refused if it is higher than the limit per address', () => {
    const context = { requestsPerMinuteByAddress: '8000', requestsPerMinuteByAddressAndPath: '9000' };
    expect(() => read(context)).toThrow(
      new Error(
        'Context "requestsPerMinuteByAddressAndPath" must be at most 8000, as "requestsPerMinuteByAddress" says, but is 9000.',
      ),
    );
    expect(() => read({ ...context, requestsPerMinuteByAddress: '9000' })).not.toThrow();
  });

  test('all together give two domains in one zone', () => {
    const hostedZone = { id: ZONE.hostedZoneId, name: ZONE.hostedZoneName };
    expect(read({ ...INGEST, ...CONSOLE, ...ZONE })).toMatchObject({
      ingestDomain: {
        name: INGEST.ingestDomainName,
        certificateArn: INGEST.ingestCertificateArn,
        hostedZone,
      },
      consoleDomain: {
        name: CONSOLE.consoleDomainName,
        certificateArn: CONSOLE.consoleCertificateArn,
        hostedZone,
      },
    });
  });
});

test('leads are forwarded by mail and event bus as the deployer says', () => {
  expect(read({ mailFrom: 'leads@mail.example.com', eventBus: 'true' })).toMatchObject({
    mailFrom: 'leads@mail.example.com',
    eventBus: true,
  });
  expect(read({ eventBus: true }).eventBus).toBe(true);
});
