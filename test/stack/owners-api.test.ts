import { expect, test } from '@jest/globals';
import { patternOf, ROUTES, type Route, type ServedBy } from '../../lambdas/owner-api/route-table.ts';
import { asText, synthesize, withoutHash } from './synthesize.ts';

const dev = synthesize('dev');

const routes = Object.values(dev.findResources('AWS::ApiGatewayV2::Route')).map((it) => it.Properties);
const [[authorizerId, authorizer] = []] = Object.entries(dev.findResources('AWS::ApiGatewayV2::Authorizer'));

const isSession = ({ RouteKey }: { RouteKey: string }) => RouteKey.endsWith(' /session');

const FUNCTIONS: Readonly<Record<ServedBy, string>> = {
  settings: 'SettingsApiSettingsFunction',
  diagnostics: 'SettingsApiDiagnosticsFunction',
  // Beside the others, so that it can have permissions that they do not have.
  members: 'AccessInviteFunction',
};

test('has exactly the routes of the table, each to its function', () => {
  const integrations = dev.findResources('AWS::ApiGatewayV2::Integration');
  const found = routes
    .filter((route) => !isSession(route))
    .map(({ RouteKey, Target }) => {
      const [, id = ''] = /^integrations\/\$\{(\w+)\}$/.exec(asText(Target)) ?? [];
      const target = integrations[id]?.Properties.IntegrationUri['Fn::GetAtt'][0] ?? '?';
      return `${RouteKey} -> ${withoutHash(target)}`;
    });
  const wanted = Object.values<Route>(ROUTES).map(
    (route) => `${patternOf(route)} -> ${FUNCTIONS[route.servedBy]}`,
  );
  expect(found.sort()).toEqual(wanted.sort());
});

test('every route asks the authorizer, except those of the session', () => {
  const open = routes.filter(({ AuthorizationType }) => AuthorizationType === 'NONE');
  expect(open.map(({ RouteKey }) => RouteKey).sort()).toEqual(
    ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((method) => `${method} /session`),
  );
  for (const { RouteKey, AuthorizationType, AuthorizerId } of routes.filter((route) => !isSession(route))) {
    expect([RouteKey, AuthorizationType, AuthorizerId]).toEqual([RouteKey, 'CUSTOM', { Ref: authorizerId }]);
  }
});

test('the authorizer is asked about every request, without a cache, so that a removal applies at once', () => {
  dev.resourceCountIs('AWS::ApiGatewayV2::Authorizer', 1);
  expect(authorizer?.Properties).toMatchObject({
    AuthorizerType: 'REQUEST',
    AuthorizerPayloadFormatVersion: '2.0',
    AuthorizerResultTtlInSeconds: 0,
    EnableSimpleResponses: true,
    IdentitySource: ['$request.header.Authorization'],
  });
  expect(asText(authorizer?.Properties.AuthorizerUri)).toMatch(/AccessAuthorizeFunction/);
});

test("the authorizer accepts tokens of the owners' pool and its client", () => {
  const [, fn] =
    Object.entries(dev.findResources('AWS::Lambda::Function')).find(([id]) =>
      id.startsWith('AccessAuthorizeFunction'),
    ) ?? [];
  expect(fn?.Properties.Environment.Variables).toMatchObject({
    OWNERS_ISSUER: { 'Fn::GetAtt': ['Owners', 'ProviderURL'] },
    OWNERS_CLIENT_ID: { Ref: 'OwnersClient' },
  });
});

test('the API has no CORS, because the console shares its origin', () => {
  const { SettingsApi } = dev.findResources('AWS::ApiGatewayV2::Api');
  expect(SettingsApi?.Properties.CorsConfiguration).toBeUndefined();
});
