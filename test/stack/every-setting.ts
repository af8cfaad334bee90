/** A non-default value for every key of the schema, as far as they can be combined. */
export const EVERY_SETTING = {
  alarmEmail: 'operator@example.com',
  ingestDomainName: 'leads.example.com',
  ingestCertificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/0aa0',
  // A domain for the console requires the console. WITHOUT_CONSOLE covers the other case.
  console: 'true',
  consoleDomainName: 'console.example.com',
  consoleCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0bb0',
  consoleFirewall: 'true',
  consoleRequestsPerMinuteByAddress: '6000',
  consoleWebAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/console/1234abcd-12ab',
  hostedZoneId: 'Z0123456789ABC',
  hostedZoneName: 'example.com',
  ingestFirewall: 'true',
  requestsPerMinuteByAddress: '60000',
  requestsPerMinuteByAddressAndPath: '8000',
  apiRequestsPerSecond: '2500',
  enrichmentProviderUrl: 'https://provider.example/v1',
  enrichmentProviderSecretArn: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:provider-AbCdEf',
  enrichmentProviderKeyArn: 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  enrichmentConcurrency: '50',
  mailFrom: 'leads@example.com',
  sendingConcurrency: '20',
  eventBus: 'true',
  ownerThreatProtection: 'true',
  deployDespiteAlarms: 'true',
  manageApiGatewayAccount: 'false',
  tags: 'team=growth',
} as const;

const { consoleDomainName, consoleCertificateArn, consoleWebAclArn, ...withoutConsoleDomain } = EVERY_SETTING;

/** The same without the console and its domain. */
export const WITHOUT_CONSOLE = { ...withoutConsoleDomain, console: 'false' } as const;
