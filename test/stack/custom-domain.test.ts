import { describe, expect, test } from '@jest/globals';
import { asText, EVERY_SETTING, ownFunctions, synthesize, withoutHash } from './synthesize.ts';

const { hostedZoneId, hostedZoneName, ...withoutZone } = EVERY_SETTING;
const zoned = synthesize('prod', EVERY_SETTING);
const unzoned = synthesize('prod', withoutZone);
const plain = synthesize('prod');

type Made = typeof zoned;
const outputsOf = (template: Made) =>
  Object.fromEntries(
    Object.entries(template.toJSON().Outputs as Record<string, { Value: unknown }>).map(
      ([name, { Value }]) => [name, asText(Value)],
    ),
  );
const records = (template: Made) =>
  Object.values(template.findResources('AWS::Route53::RecordSet')).map(({ Properties }) => Properties);

describe('the ingest API with a custom domain', () => {
  test('requires TLS 1.2 or later, in its own region, with the given certificate', () => {
    expect(zoned.findResources('AWS::ApiGateway::DomainName').IngestDomain?.Properties).toMatchObject({
      DomainName: 'leads.example.com',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: EVERY_SETTING.ingestCertificateArn,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
  });

  test('has no stage in its path: every path leads to the stage', () => {
    const [stage] = Object.keys(zoned.findResources('AWS::ApiGateway::Stage'));
    const mappings = Object.values(zoned.findResources('AWS::ApiGateway::BasePathMapping'));
    expect(mappings.map(({ Properties }) => Properties)).toEqual([
      { DomainName: { Ref: 'IngestDomain' }, RestApiId: { Ref: 'IngestApi' }, Stage: { Ref: stage } },
    ]);
  });

  test('keeps the default address of AWS open, for existing senders', () => {
    const { Properties } = zoned.findResources('AWS::ApiGateway::RestApi').IngestApi ?? {};
    expect(Properties.DisableExecuteApiEndpoint ?? false).toBe(false);
  });

  test('is the {base_url} of the outputs and of what owners are shown', () => {
    expect(outputsOf(zoned).IngestUrl).toBe('https://leads.example.com');
    const [[, settings] = []] = Object.entries(ownFunctions(zoned)).filter(
      ([id]) => withoutHash(id) === 'SettingsApiSettingsFunction',
    );
    expect(settings?.Properties.Environment.Variables.INGEST_URL).toBe('https://leads.example.com');
  });
});

describe('the console with a custom domain', () => {
  const { Aliases, ViewerCertificate } =
    zoned.findResources('AWS::CloudFront::Distribution').Console?.Properties.DistributionConfig ?? {};

  test('requires TLS 1.2 or later, with the given certificate', () => {
    expect(Aliases).toEqual(['console.example.com']);
    expect(ViewerCertificate).toEqual({
      AcmCertificateArn: EVERY_SETTING.consoleCertificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
      SslSupportMethod: 'sni-only',
    });
  });

  test('is where owners are sent', () => {
    expect(outputsOf(zoned).ConsoleUrl).toBe('https://console.example.com');
    const { InviteMessageTemplate } =
      zoned.findResources('AWS::Cognito::UserPool').Owners?.Properties.AdminCreateUserConfig ?? {};
    expect(InviteMessageTemplate.EmailMessage).toContain(
      'Sign in at https://console.example.com as {username}',
    );
    expect(InviteMessageTemplate.EmailMessage).toContain('{####}');
  });

  test('may connect to the same hosts as without it', () => {
    const policyOf = (template: Made) => {
      const [policy] = Object.values(template.findResources('AWS::CloudFront::ResponseHeadersPolicy'));
      return policy?.Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig;
    };
    expect(policyOf(zoned).ContentSecurityPolicy).toEqual(policyOf(plain).ContentSecurityPolicy);
  });

  test('enforces TLS for that name only, because subdomains may belong to others', () => {
    const [policy] = Object.values(zoned.findResources('AWS::CloudFront::ResponseHeadersPolicy'));
    expect(
      policy?.Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig.StrictTransportSecurity,
    ).toMatchObject({ AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: false });
  });
});

describe('the records', () => {
  test('are created in the zone, if there is one', () => {
    const made = records(zoned).map(({ Name, Type, HostedZoneId }) => ({ Name, Type, HostedZoneId }));
    expect(made).toHaveLength(3);
    expect(made).toEqual(
      expect.arrayContaining([
        { Name: 'leads.example.com.', Type: 'A', HostedZoneId: hostedZoneId },
        { Name: 'console.example.com.', Type: 'A', HostedZoneId: hostedZoneId },
        { Name: 'console.example.com.', Type: 'AAAA', HostedZoneId: hostedZoneId },
      ]),
    );
    expect(Object.keys(outputsOf(zoned)).filter((name) => name.endsWith('DomainTarget'))).toEqual([]);
  });

  test('point to the domain of the API and to the distribution', () => {
    const targetOf = (name: string) => records(zoned).find(({ Name }) => Name === name)?.AliasTarget.DNSName;
    expect(asText(targetOf('leads.example.com.'))).toBe(`\${IngestDomain.RegionalDomainName}`);
    expect(asText(targetOf('console.example.com.'))).toBe(`\${Console.DomainName}`);
  });

  test('are otherwise up to the deployer: outputs say what they must point to', () => {
    expect(records(unzoned)).toEqual([]);
    expect(outputsOf(unzoned)).toMatchObject({
      IngestDomainTarget: `\${IngestDomain.RegionalDomainName}`,
      ConsoleDomainTarget: `\${Console.DomainName}`,
    });
  });

  test('are valid for the name of the zone itself', () => {
    const { consoleDomainName, consoleCertificateArn, ...ingestOnly } = EVERY_SETTING;
    const template = synthesize('dev', { ...ingestOnly, hostedZoneName: ingestOnly.ingestDomainName });
    expect(records(template).map(({ Name }) => Name)).toEqual(['leads.example.com.']);
  });
});

test('without a custom domain none of these resources exist', () => {
  for (const type of ['ApiGateway::DomainName', 'ApiGateway::BasePathMapping', 'Route53::RecordSet']) {
    plain.resourceCountIs(`AWS::${type}`, 0);
  }
  expect(Object.keys(outputsOf(plain)).filter((name) => name.endsWith('DomainTarget'))).toEqual([]);
});

test('additional tags are on billed resources, besides those of the stack', () => {
  const tags = [
    { Key: 'service', Value: 'lead-ingest' },
    { Key: 'stage', Value: 'prod' },
    { Key: 'team', Value: 'growth' },
  ];
  for (const type of ['AWS::Lambda::Function', 'AWS::KMS::Key', 'AWS::CloudFront::Distribution']) {
    zoned.allResourcesProperties(type, { Tags: tags });
  }
});
