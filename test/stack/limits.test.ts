import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { BODY_TOO_LARGE } from '../../lib/firewall.ts';
import { makeConsoleFirewallApp } from '../../lib/lead-ingest-app.ts';
import { BROWSER_METHODS, SOURCE_PATHS, splitThrottles } from '../../lib/throttles.ts';
import { asText, synthesize, withAssembly } from './synthesize.ts';

const prod = synthesize('prod');

describe('the firewall of the ingest API', () => {
  const REGIONAL = { Properties: { Scope: 'REGIONAL' } };
  const regionalAcls = (template: ReturnType<typeof synthesize>) =>
    Object.values(template.findResources('AWS::WAFv2::WebACL', REGIONAL));
  const [acl] = regionalAcls(prod);
  const rules = Object.fromEntries(acl?.Properties.Rules.map((rule: { Name: string }) => [rule.Name, rule]));

  describe('the web ACL', () => {
    test('protects both APIs in prod, elsewhere if asked for', () => {
      const associations = Object.values(prod.findResources('AWS::WAFv2::WebACLAssociation'));
      const guarded = associations.map(({ Properties }) => asText(Properties.ResourceArn)).sort();
      expect(guarded).toEqual([
        expect.stringMatching(/::\/restapis\/\$\{IngestApi\}\/stages\/\$\{IngestApi\w*Stage\w*\}$/),
        expect.stringMatching(/::\/restapis\/\$\{SourcesApi\}\/stages\/\$\{Sources\w*Stage\w*\}$/),
      ]);
      expect(new Set(associations.map(({ Properties }) => asText(Properties.WebACLArn))).size).toBe(1);
      expect(regionalAcls(synthesize('dev'))).toHaveLength(0);
      expect(regionalAcls(synthesize('dev', { ingestFirewall: 'true' }))).toHaveLength(1);
      expect(regionalAcls(synthesize('prod', { ingestFirewall: 'false' }))).toHaveLength(0);
    });

    test('blocks only what its rules match, with the same rejection', () => {
      const { DefaultAction, CustomResponseBodies } = acl?.Properties ?? {};
      expect(DefaultAction).toEqual({ Allow: {} });
      expect(Object.keys(rules)).toEqual([
        'body-too-large',
        'flood-of-one-path',
        'flood-from-one-address',
        'flood-of-pages',
        'source-body-too-large',
        'flood-of-one-source',
        'flood-of-sources',
      ]);
      for (const [name, { Action }] of Object.entries(rules)) {
        // A provider repeats what got 503, and takes 200 as delivered.
        const ResponseCode = name.includes('source') ? 503 : 200;
        expect([name, Action]).toEqual([
          name,
          { Block: { CustomResponse: { ResponseCode, CustomResponseBodyKey: 'rejection' } } },
        ]);
      }
      expect(CustomResponseBodies).toEqual({
        rejection: { ContentType: 'APPLICATION_JSON', Content: '{"status":"rejected"}' },
      });
    });

    const path = (constraint: string, text: string) => ({
      ByteMatchStatement: expect.objectContaining({
        FieldToMatch: { UriPath: {} },
        PositionalConstraint: constraint,
        SearchString: text,
      }),
    });
    const not = (Statement: object) => ({ NotStatement: { Statement } });
    const sources = path('CONTAINS', '/sources/v1');

    test('limits the requests of one address per minute, to Surface 1c apart from all others', () => {
      const rate = { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 10_000 };
      expect(rules['flood-from-one-address'].Statement).toEqual({
        RateBasedStatement: { ...rate, ScopeDownStatement: not(sources) },
      });
      expect(rules['flood-of-sources'].Statement).toEqual({
        RateBasedStatement: { ...rate, ScopeDownStatement: sources },
      });
    });

    test('limits the requests of one address to one path, except the paths that all server tokens share', () => {
      const rate = {
        AggregateKeyType: 'CUSTOM_KEYS',
        CustomKeys: [{ IP: {} }, { UriPath: { TextTransformations: [{ Priority: 0, Type: 'NONE' }] } }],
        EvaluationWindowSec: 60,
        Limit: 5_000,
      };
      const others = {
        AndStatement: { Statements: [not(sources), not(path('ENDS_WITH', '/api/v1/ingest'))] },
      };
      expect(rules['flood-of-one-path'].Statement).toEqual({
        RateBasedStatement: { ...rate, ScopeDownStatement: others },
      });
      // With the slash: the path of tokens has none.
      expect(rules['flood-of-one-source'].Statement).toEqual({
        RateBasedStatement: { ...rate, ScopeDownStatement: path('CONTAINS', '/sources/v1/') },
      });
    });

    test('has the limits that a deployer sets', () => {
      const [other] = regionalAcls(
        synthesize('prod', {
          requestsPerMinuteByAddress: '60000',
          requestsPerMinuteByAddressAndPath: '7000',
        }),
      );
      const [, byPath, byAddress] = other?.Properties.Rules ?? [];
      expect(byPath.Statement.RateBasedStatement.Limit).toBe(7_000);
      expect(byAddress.Statement.RateBasedStatement.Limit).toBe(60_000);
    });

    test('reads the value of Content-Length on the v1 paths', () => {
      const [path, length] = acl?.Properties.Rules[0].Statement.AndStatement.Statements ?? [];
      expect(path.ByteMatchStatement).toMatchObject({
        FieldToMatch: { UriPath: {} },
        PositionalConstraint: 'CONTAINS',
        SearchString: '/api/v1/',
      });
      expect(length.RegexMatchStatement).toMatchObject({
        FieldToMatch: { SingleHeader: { Name: 'content-length' } },
        RegexString: BODY_TOO_LARGE,
      });
    });

    test('keeps no sample of any request', () => {
      const configurations = [acl?.Properties, ...(acl?.Properties.Rules ?? [])].map(
        (it) => it.VisibilityConfig,
      );
      for (const { SampledRequestsEnabled } of configurations) expect(SampledRequestsEnabled).toBe(false);
    });

    test.each([
      ['0', false],
      ['131072', false],
      ['131073', false],
      ['999999', false],
      ['4499999', false],
      ['4500000', true],
      ['5000000', true],
      ['9999999', true],
      ['10485760', true],
      ['10485761', true],
      ['99999999999999', true],
      ['0004500000', true],
      ['00000000131072', false],
      ['4500000, 4500000', false],
      ['-4500000', false],
      ['', false],
    ])('Content-Length %j is too much: %s', (value, expected) => {
      expect(new RegExp(BODY_TOO_LARGE).test(value)).toBe(expected);
    });
  });
});

describe('the firewall of the console', () => {
  const FOR_CLOUDFRONT = { Properties: { Scope: 'CLOUDFRONT' } };
  const aclsOf = (template: Template) =>
    Object.entries(template.findResources('AWS::WAFv2::WebACL', FOR_CLOUDFRONT));
  const webAclOf = (template: Template) =>
    template.findResources('AWS::CloudFront::Distribution').Console?.Properties.DistributionConfig.WebACLId;

  const [[id, acl] = []] = aclsOf(prod);

  test('protects the console in prod, in us-east-1 only, where AWS can create it', () => {
    const condition = acl?.Condition;
    expect(prod.toJSON().Conditions[condition]).toEqual({
      'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'],
    });
    expect(webAclOf(prod)).toEqual({
      'Fn::If': [condition, { 'Fn::GetAtt': [id, 'Arn'] }, { Ref: 'AWS::NoValue' }],
    });
  });

  test('returns 429 to an address above the limit, and lets everything else through', () => {
    const { DefaultAction, Rules, CustomResponseBodies } = acl?.Properties ?? {};
    expect(DefaultAction).toEqual({ Allow: {} });
    expect(Rules).toHaveLength(1);
    expect(Rules[0].Statement).toEqual({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 3_000 },
    });
    const { ResponseCode, CustomResponseBodyKey } = Rules[0].Action.Block.CustomResponse;
    expect(ResponseCode).toBe(429);
    expect(JSON.parse(CustomResponseBodies[CustomResponseBodyKey].Content)).toEqual({
      message: 'Too Many Requests',
    });
  });

  test('keeps no sample of any request, which would show the token of an owner', () => {
    const { VisibilityConfig, Rules } = acl?.Properties ?? {};
    for (const { SampledRequestsEnabled } of [VisibilityConfig, Rules[0].VisibilityConfig]) {
      expect(SampledRequestsEnabled).toBe(false);
    }
  });

  test('has a limit that can be changed, or switched off', () => {
    const settings = { consoleFirewall: 'true', consoleRequestsPerMinuteByAddress: '600' };
    const [[, other] = []] = aclsOf(synthesize('dev', settings));
    expect(other?.Properties.Rules[0].Statement.RateBasedStatement.Limit).toBe(600);
    for (const without of [synthesize('dev'), synthesize('prod', { consoleFirewall: 'false' })]) {
      expect(aclsOf(without)).toEqual([]);
      expect(webAclOf(without)).toBeUndefined();
    }
  });

  test('can be replaced by an existing web ACL, in every region', () => {
    const consoleWebAclArn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/console/1234abcd';
    const template = synthesize('prod', { consoleWebAclArn });
    expect(aclsOf(template)).toEqual([]);
    expect(webAclOf(template)).toBe(consoleWebAclArn);
  });

  test('has an app for other regions, with the same rule in us-east-1 and its ARN as output', () => {
    withAssembly((outdir) => {
      const context = { stage: 'prod', consoleRequestsPerMinuteByAddress: '600' };
      const app = makeConsoleFirewallApp({ outdir, context, builtinCloudFormationValidation: false });
      const [stack] = app.synth().stacks;
      expect(stack?.environment.region).toBe('us-east-1');
      const template = Template.fromJSON(stack?.template);
      const [[only, made] = [], second] = aclsOf(template);
      expect(second).toBeUndefined();
      expect(made?.Condition).toBeUndefined();
      expect(made?.Properties.Rules[0].Statement.RateBasedStatement.Limit).toBe(600);
      expect(template.toJSON().Outputs.ConsoleWebAclArn.Value).toEqual({ 'Fn::GetAtt': [only, 'Arn'] });
    });
  });
});

/** The throttle of each method, as `POST /path: rate, burst`. */
function throttlesOf(template: ReturnType<typeof synthesize>, apiId = 'IngestApi'): string[] {
  const stage = Object.values(template.findResources('AWS::ApiGateway::Stage')).find(
    ({ Properties }) => Properties.RestApiId.Ref === apiId,
  );
  const settings: Record<string, unknown>[] = stage?.Properties.MethodSettings;
  return settings.map(
    ({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) =>
      `${HttpMethod} ${String(ResourcePath).replaceAll('~1', '/')}: ${ThrottlingRateLimit}, ${ThrottlingBurstLimit}`,
  );
}

test('each surface has its own throttle, and the retired path has that of the stage', () => {
  expect(throttlesOf(synthesize('prod'))).toEqual([
    '* /*: 50, 25',
    'POST //api/v1/ingest: 4000, 2000',
    'POST //api/v1/ingest/{slug}: 4000, 2000',
    'POST //api/v1/browser/token: 100, 50',
    'OPTIONS //api/v1/browser/token: 100, 50',
    'POST //api/v1/browser/submissions: 100, 50',
    'OPTIONS //api/v1/browser/submissions: 100, 50',
  ]);
  expect(throttlesOf(synthesize('prod'), 'SourcesApi')).toEqual([
    '* /*: 250, 125',
    'POST //sources/v1: 250, 125',
    'POST //sources/v1/{slug}: 250, 125',
  ]);
});

test('the throttles follow the share of the quota for the stack', () => {
  const template = synthesize('prod', { apiRequestsPerSecond: '2500' });
  expect(throttlesOf(template)).toContain('POST //api/v1/ingest/{slug}: 1000, 500');
  template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
    DefaultRouteSettings: { ThrottlingRateLimit: 250, ThrottlingBurstLimit: 125 },
  });
});

test.each([250, 2_500, 10_000, 120_000])(
  'with %d requests per second, all floods together leave some for other APIs of the account',
  (requestsPerSecond) => {
    const { browser, sources, ...others } = splitThrottles(requestsPerSecond);
    const throttles = [
      ...Object.values(others),
      ...BROWSER_METHODS.map(() => browser),
      ...SOURCE_PATHS.map(() => sources),
    ];
    const sum = (name: 'rateLimit' | 'burstLimit') =>
      throttles.reduce((total, each) => total + each[name], 0);
    expect(sum('rateLimit')).toBeLessThan(requestsPerSecond);
    expect(sum('burstLimit')).toBeLessThan(requestsPerSecond / 2);
    for (const { rateLimit, burstLimit } of throttles)
      expect(Math.min(rateLimit, burstLimit)).toBeGreaterThan(0);
  },
);
