import { describe, expect, test } from '@jest/globals';
import { asText, synthesise, withoutHash } from './synthesise.ts';

const template = synthesise('dev');
const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map((it) => it.Properties);
const [[authorizerId, authorizer] = []] = Object.entries(
  template.findResources('AWS::ApiGatewayV2::Authorizer'),
);

/** The owner's API, row for row. */
const ROUTES = {
  Settings: [
    'GET /settings/workspace',
    'GET /settings/forms',
    'POST /settings/forms',
    'GET /settings/forms/{formId}',
    'PATCH /settings/forms/{formId}',
    'POST /settings/forms/{formId}/archive',
    'GET /settings/deliveries',
    'GET /settings/forms/{formId}/delivery',
    'PUT /settings/forms/{formId}/delivery/secret',
    'POST /settings/forms/{formId}/delivery/rotate',
    'DELETE /settings/forms/{formId}/delivery/previous-secret',
    'POST /settings/forms/{formId}/delivery/debug',
    'POST /settings/forms/{formId}/test',
    'GET /settings/tokens',
    'POST /settings/tokens',
    'DELETE /settings/tokens/{tokenId}',
    'GET /settings/forms/{formId}/leads',
    'GET /settings/forms/{formId}/leads/export',
    'GET /settings/leads/{leadId}',
    'DELETE /settings/leads/{leadId}',
    'GET /settings/leads/{leadId}/messages',
    'GET /settings/stats',
    'GET /settings/destinations',
    'POST /settings/destinations',
    'GET /settings/destinations/{destinationId}',
    'PATCH /settings/destinations/{destinationId}',
    'DELETE /settings/destinations/{destinationId}',
    'POST /settings/destinations/{destinationId}/rotate',
    'POST /settings/destinations/{destinationId}/test',
    'GET /settings/destinations/{destinationId}/messages',
    'POST /settings/destinations/{destinationId}/replay',
    'GET /settings/messages/{messageId}',
    'POST /settings/messages/{messageId}/replay',
  ],
  Diagnostics: [
    'GET /settings/diagnostics',
    'GET /settings/diagnostics/events',
    'GET /settings/diagnostics/requests/{requestId}',
  ],
};

test('the routes are these, each to its function', () => {
  const integrations = template.findResources('AWS::ApiGatewayV2::Integration');
  const found = routes.map(({ RouteKey, Target }) => {
    const [, id = ''] = /^integrations\/\$\{(\w+)\}$/.exec(asText(Target)) ?? [];
    const target = integrations[id]?.Properties.IntegrationUri['Fn::GetAtt'][0] ?? '?';
    return `${RouteKey} -> ${withoutHash(target)}`;
  });
  const wanted = Object.entries(ROUTES).flatMap(([name, keys]) =>
    keys.map((key) => `${key} -> SettingsApi${name}Function`),
  );
  expect(found.sort()).toEqual(wanted.sort());
});

test.each(routes)('$RouteKey asks for a token', ({ AuthorizationType, AuthorizerId }) => {
  expect({ AuthorizationType, AuthorizerId }).toEqual({
    AuthorizationType: 'JWT',
    AuthorizerId: { Ref: authorizerId },
  });
});

test("the authorizer takes the tokens of the owners' pool and of its client, from one header", () => {
  template.resourceCountIs('AWS::ApiGatewayV2::Authorizer', 1);
  expect(authorizer?.Properties).toMatchObject({
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: {
      Issuer: { 'Fn::GetAtt': ['Owners', 'ProviderURL'] },
      Audience: [{ Ref: 'OwnersClient' }],
    },
  });
});

test('requests are handed over in format 2.0, and waited for', () => {
  template.allResourcesProperties('AWS::ApiGatewayV2::Integration', {
    IntegrationType: 'AWS_PROXY',
    PayloadFormatVersion: '2.0',
    TimeoutInMillis: 29_000,
  });
});

test('the API keeps its logical id, since its id is part of the URL, and has no CORS: the console shares its origin', () => {
  const apis = template.findResources('AWS::ApiGatewayV2::Api');
  expect(Object.keys(apis)).toEqual(['SettingsApi']);
  expect(apis.SettingsApi?.Properties.CorsConfiguration).toBeUndefined();
});

describe('the stage', () => {
  const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
  const { AccessLogSettings, ...properties } = stage?.Properties ?? {};
  const format: string = AccessLogSettings.Format;

  test('is the default one, and throttled', () => {
    expect(properties).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 1_500, ThrottlingBurstLimit: 750 },
    });
  });

  test('logs of each request what an operator needs', () => {
    expect(Object.values(JSON.parse(format))).toEqual(
      expect.arrayContaining([
        '$context.requestId',
        '$context.routeKey',
        '$context.status',
        '$context.responseLatency',
        '$context.error.responseType',
        '$context.integration.status',
      ]),
    );
  });

  test.each([
    ['addresses', /identity|sourceIp/i],
    ['bodies and messages', /body|\$input|message/i],
    ['headers, claims and credentials', /header|userAgent|authoriz|claims/i],
    ['the path and query, which hold ids', /\$context\.path\b|query|domain/i],
  ])('logs no %s', (_what, pattern) => {
    expect(format).not.toMatch(pattern);
  });

  test('writes its log into a group of its own', () => {
    const [group] = AccessLogSettings.DestinationArn['Fn::GetAtt'];
    expect(template.findResources('AWS::Logs::LogGroup')).toHaveProperty(group);
  });
});

test('the settings function knows where senders reach the service', () => {
  const [, settings] =
    Object.entries(template.findResources('AWS::Lambda::Function')).find(([id]) =>
      id.startsWith('SettingsApiSettings'),
    ) ?? [];
  const { INGEST_URL } = settings?.Properties.Environment.Variables ?? {};
  expect(asText(INGEST_URL)).toBe(asText(template.toJSON().Outputs.IngestUrl.Value));
});
