import { describe, expect, test } from '@jest/globals';
import { asText, EVERY_SETTING, ownFunctions, synthesize, withoutHash } from './synthesize.ts';

const template = synthesize('dev');

/** What API Gateway answers by itself, and how many methods have settings of their own, the default included. */
const APIS = {
  IngestApi: { rejection: '200', methods: 7 },
  SourcesApi: { rejection: '503', methods: 3 },
} as const;

const only = (type: string) => {
  const found = Object.values(template.findResources(type));
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};

function pathOf(resourceId: string): string {
  const { ParentId, PathPart } =
    template.findResources('AWS::ApiGateway::Resource')[resourceId]?.Properties ?? {};
  return `${ParentId?.Ref === undefined ? '' : pathOf(ParentId.Ref)}/${PathPart}`;
}

describe('routes', () => {
  const methods = Object.values(template.findResources('AWS::ApiGateway::Method')).map((it) => it.Properties);

  test('are these, each to its function', () => {
    const routes = methods.map(({ HttpMethod, ResourceId, Integration }) => {
      const target = /functions\/\$\{(\w+)\.Arn\}\/invocations$/.exec(asText(Integration.Uri))?.[1] ?? '?';
      return `${HttpMethod} ${pathOf(ResourceId.Ref)} -> ${withoutHash(target)}`;
    });
    expect(routes.sort()).toEqual([
      'ANY /api/ingest/{slug} -> RetiredFunction',
      'OPTIONS /api/v1/browser/submissions -> BrowserMintFunction',
      'OPTIONS /api/v1/browser/token -> BrowserMintFunction',
      'POST /api/v1/browser/submissions -> BrowserSubmissionFunction',
      'POST /api/v1/browser/token -> BrowserMintFunction',
      'POST /api/v1/ingest -> IngestServerFunction',
      'POST /api/v1/ingest/{slug} -> IngestWebhookFunction',
      'POST /sources/v1 -> SourcesSubmissionFunction',
      'POST /sources/v1/{slug} -> SourcesSubmissionFunction',
    ]);
  });

  test.each(methods)(
    '$HttpMethod $ResourceId.Ref hands the whole request over, and waits',
    ({ Integration }) => {
      expect(Integration).toMatchObject({ Type: 'AWS_PROXY', TimeoutInMillis: 29_000 });
    },
  );

  test('have no CORS made by the gateway: the functions for pages respond by themselves', () => {
    expect(JSON.stringify(template.toJSON())).not.toMatch(/access-control-/i);
  });
});

test('the APIs keep their logical ids, since their ids are part of every URL', () => {
  expect(Object.keys(template.findResources('AWS::ApiGateway::RestApi'))).toEqual(Object.keys(APIS));
});

describe.each(Object.entries(APIS))('%s', (apiId, { rejection, methods }) => {
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
  const format: Record<string, string> = JSON.parse(stage.AccessLogSetting.Format);

  test('has one stage, named after the stage and not traced', () => {
    expect(ofApi('AWS::ApiGateway::Stage')).toHaveLength(1);
    // API Gateway's own segments hold the sender's address.
    expect(stage).toMatchObject({ StageName: 'dev', TracingEnabled: false });
  });

  test('logs execution errors, never headers and bodies, for all methods', () => {
    expect(stage.MethodSettings).toHaveLength(methods);
    for (const { LoggingLevel, DataTraceEnabled } of stage.MethodSettings) {
      expect({ LoggingLevel, DataTraceEnabled }).toEqual({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
    }
  });

  test('logs what an operator needs for each request', () => {
    expect(Object.values(format)).toEqual(
      expect.arrayContaining([
        '$context.requestId',
        '$context.extendedRequestId',
        '$context.httpMethod',
        '$context.resourcePath',
        '$context.protocol',
        '$context.status',
        '$context.responseLength',
        '$context.responseLatency',
        '$context.error.responseType',
        '$context.integrationStatus',
        '$context.integrationLatency',
      ]),
    );
  });

  test.each([
    ['addresses', /identity|sourceIp/i],
    ['bodies', /body|\$input|messageString|error\.message|errorMessage|integration\.error/i],
    ['headers and credentials', /header|userAgent|authoriz|authenticate|apiKey|claims/i],
    ['the path, which holds the slug', /\$context\.path\b|customDomain|override/i],
    ['query strings', /query|\$input/i],
  ])('logs no %s', (_what, pattern) => {
    expect(stage.AccessLogSetting.Format).not.toMatch(pattern);
  });

  test('writes the access log to its own group', () => {
    const group = /log-group:\$\{(\w+)\}$/.exec(asText(stage.AccessLogSetting.DestinationArn))?.[1] ?? '';
    expect(template.findResources('AWS::Logs::LogGroup')).toHaveProperty(group);
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

describe('the CloudWatch role that all REST APIs of an account share', () => {
  test('is set by default, and outlives the stack', () => {
    template.hasResource('AWS::ApiGateway::Account', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
    const roleId = only('AWS::ApiGateway::Account').CloudWatchRoleArn['Fn::GetAtt'][0];
    expect(template.findResources('AWS::IAM::Role')[roleId]).toMatchObject({ DeletionPolicy: 'Retain' });
  });

  test('is not set if context says so', () => {
    const without = synthesize('dev', { manageApiGatewayAccount: 'false' });
    without.resourceCountIs('AWS::ApiGateway::Account', 0);
    expect(JSON.stringify(without.toJSON())).not.toContain('AmazonAPIGatewayPushToCloudWatchLogs');
  });
});

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
