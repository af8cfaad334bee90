import { describe, expect, test } from '@jest/globals';
import {
  asText,
  EVERY_SETTING,
  ownFunctions,
  restMethodsOf,
  synthesize,
  WITHOUT_CONSOLE,
  withoutHash,
} from './synthesize.ts';

const template = synthesize('dev');

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
const stageOf = (template: Made, apiId: string) =>
  Object.entries(template.findResources('AWS::ApiGateway::Stage')).find(
    ([, { Properties }]) => Properties.RestApiId.Ref === apiId,
  )?.[0];
const records = (template: Made) =>
  Object.values(template.findResources('AWS::Route53::RecordSet')).map(({ Properties }) => Properties);

/** What API Gateway answers by itself. */
const APIS = { IngestApi: { rejection: '200' }, SourcesApi: { rejection: '503' } } as const;

test.each(restMethodsOf(template))(
  '$method $path hands the whole request over, and waits',
  ({ integration }) => {
    expect(integration).toMatchObject({ Type: 'AWS_PROXY', TimeoutInMillis: 29_000 });
  },
);

test('there is no CORS made by the gateway: the functions for pages respond by themselves', () => {
  expect(JSON.stringify(template.toJSON())).not.toMatch(/access-control-/i);
});

describe.each(Object.entries(APIS))('%s', (apiId, { rejection }) => {
  const api = template.findResources('AWS::ApiGateway::RestApi')[apiId]?.Properties;
  const ofApi = (type: string) =>
    Object.values(template.findResources(type)).filter(
      ({ Properties }) => Properties.RestApiId.Ref === apiId,
    );

  test('passes every body as the bytes that were sent', () => {
    expect(api.BinaryMediaTypes).toEqual(['*/*']);
    expect(api.MinimumCompressionSize).toBeUndefined();
  });

  test('is regional, and requires TLS 1.2', () => {
    expect(api.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
    expect(api.SecurityPolicy).toMatch(/^SecurityPolicy_TLS13_1_[23]_/);
    expect(api.EndpointAccessMode).toBe('STRICT');
  });

  test.each(['DEFAULT_4XX', 'DEFAULT_5XX', 'REQUEST_TOO_LARGE'])(
    "API Gateway's own %s looks like any rejection, whatever is accepted",
    (type) => {
      const responses = ofApi('AWS::ApiGateway::GatewayResponse');
      const response = responses.find(({ Properties }) => Properties.ResponseType === type)?.Properties;
      expect(response).toMatchObject({ StatusCode: rejection });
      expect(response?.ResponseTemplates).toEqual({ 'application/json': '{"status":"rejected"}' });
      expect(response?.ResponseParameters).toBeUndefined();
      expect(responses).toHaveLength(3);
    },
  );

  const [stageResource] = ofApi('AWS::ApiGateway::Stage');
  const stage = stageResource?.Properties;

  test('has one stage, named after the stage and not traced', () => {
    expect(ofApi('AWS::ApiGateway::Stage')).toHaveLength(1);
    // API Gateway's own segments hold the sender's address.
    expect(stage).toMatchObject({ StageName: 'dev', TracingEnabled: false });
  });

  test('logs execution errors, never headers and bodies, for all methods', () => {
    const [everyMethod] = stage.MethodSettings;
    expect(everyMethod).toMatchObject({ HttpMethod: '*', ResourcePath: '/*' });
    for (const { LoggingLevel, DataTraceEnabled } of stage.MethodSettings) {
      expect({ LoggingLevel, DataTraceEnabled }).toEqual({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
    }
  });

  test('has a group for its execution log, so that API Gateway does not create one without retention', () => {
    const [id] = Object.entries(template.findResources('AWS::Logs::LogGroup')).find(
      ([, it]) => asText(it.Properties.LogGroupName ?? '') === `API-Gateway-Execution-Logs_\${${apiId}}/dev`,
    ) ?? ['none'];
    expect(stageResource?.DependsOn).toContain(id);
  });

  // Else a first deployment could not log: the role is made by this stack.
  test('waits for the role by which API Gateway logs', () => {
    const [account] = Object.keys(template.findResources('AWS::ApiGateway::Account'));
    expect(stageResource?.DependsOn).toContain(account);
  });
});

test('the CloudWatch role that all REST APIs of an account share outlives the stack, or is left alone', () => {
  const [account] = Object.values(template.findResources('AWS::ApiGateway::Account'));
  expect(account).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  const roleId = account?.Properties.CloudWatchRoleArn['Fn::GetAtt'][0];
  expect(template.findResources('AWS::IAM::Role')[roleId]).toMatchObject({ DeletionPolicy: 'Retain' });
  // With manageApiGatewayAccount=false.
  zoned.resourceCountIs('AWS::ApiGateway::Account', 0);
  expect(JSON.stringify(zoned.toJSON())).not.toContain('AmazonAPIGatewayPushToCloudWatchLogs');
});

describe.each([
  ...Object.values(template.findResources('AWS::ApiGateway::Stage')).map(
    (it) => it.Properties.AccessLogSetting,
  ),
  ...Object.values(template.findResources('AWS::ApiGatewayV2::Stage')).map(
    (it) => it.Properties.AccessLogSettings,
  ),
])('access log $#', ({ Format, DestinationArn }) => {
  test('has its own group', () => {
    const group = /\$\{(\w+)(\.Arn)?\}$/.exec(asText(DestinationArn))?.[1] ?? '';
    expect(template.findResources('AWS::Logs::LogGroup')).toHaveProperty(group);
  });

  test.each([
    ['addresses', /identity|sourceIp/i],
    ['bodies', /body|\$input|message|integration\.error\b|integrationErrorMessage/i],
    ['headers and credentials', /header|userAgent|authoriz|authenticate|apiKey|claims/i],
    ['the path, which holds the slug and ids', /\$context\.path\b|domain|override/i],
    ['query strings', /query/i],
  ])('has no %s', (_what, pattern) => {
    expect(Format).not.toMatch(pattern);
  });
});

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
    const stage = stageOf(zoned, 'IngestApi');
    const mappings = Object.values(zoned.findResources('AWS::ApiGateway::BasePathMapping'));
    expect(mappings.map(({ Properties }) => Properties)).toEqual([
      { DomainName: { Ref: 'IngestDomain' }, RestApiId: { Ref: 'IngestApi' }, Stage: { Ref: stage } },
    ]);
  });

  test('has Surface 1c below /in', () => {
    const mappings = Object.values(zoned.findResources('AWS::ApiGatewayV2::ApiMapping'));
    expect(mappings.map(({ Properties }) => Properties)).toEqual([
      {
        DomainName: { Ref: 'IngestDomain' },
        ApiId: { Ref: 'SourcesApi' },
        ApiMappingKey: 'in',
        Stage: { Ref: stageOf(zoned, 'SourcesApi') },
      },
    ]);
    expect(outputsOf(zoned).SourcesUrl).toBe('https://leads.example.com/in');
    plain.resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 0);
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
    expect(settings?.Properties.Environment.Variables).toMatchObject({
      INGEST_URL: 'https://leads.example.com',
      SOURCES_URL: 'https://leads.example.com/in',
    });
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

  test('enforces TLS for that name only, because subdomains may belong to others', () => {
    const [policy] = Object.values(zoned.findResources('AWS::CloudFront::ResponseHeadersPolicy'));
    expect(
      policy?.Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig.StrictTransportSecurity,
    ).toMatchObject({ AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: false });
  });
});

describe('the records', () => {
  test('are created in the zone, if there is one, and point to the API and to the distribution', () => {
    const made = records(zoned).map(({ Name, Type, HostedZoneId, AliasTarget }) => {
      expect(HostedZoneId).toBe(hostedZoneId);
      return `${Type} ${Name} ${asText(AliasTarget.DNSName)}`;
    });
    expect(made.sort()).toEqual([
      `A console.example.com. \${Console.DomainName}`,
      `A leads.example.com. \${IngestDomain.RegionalDomainName}`,
      `AAAA console.example.com. \${Console.DomainName}`,
    ]);
    expect(Object.keys(outputsOf(zoned)).filter((name) => name.endsWith('DomainTarget'))).toEqual([]);
  });

  test('are otherwise up to the deployer: outputs say what they must point to', () => {
    expect(records(unzoned)).toEqual([]);
    expect(outputsOf(unzoned)).toMatchObject({
      IngestDomainTarget: `\${IngestDomain.RegionalDomainName}`,
      ConsoleDomainTarget: `\${Console.DomainName}`,
    });
  });

  test('are valid for the name of the zone itself', () => {
    const { ingestDomainName, hostedZoneName } = WITHOUT_CONSOLE;
    expect(hostedZoneName).toBe(ingestDomainName);
    expect(records(synthesize('prod', WITHOUT_CONSOLE)).map(({ Name }) => Name)).toEqual([
      'leads.example.com.',
    ]);
  });
});
