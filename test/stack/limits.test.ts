import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { BODY_TOO_LARGE } from '../../lib/firewall.ts';
import { makeConsoleFirewallApp } from '../../lib/lead-ingest-app.ts';
import { BROWSER_METHODS, SOURCE_PATHS, splitThrottles } from '../../lib/throttles.ts';
import {
  asText,
  EVERY_SETTING,
  GRAPHS_AND_FIREWALL,
  LEAST,
  restMethodsOf,
  synthesize,
  withAssembly,
} from './synthesize.ts';

const prod = synthesize('prod');
const every = { dev: synthesize('dev', EVERY_SETTING), prod: synthesize('prod', EVERY_SETTING) };
const least = synthesize('prod', LEAST);

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
      expect(regionalAcls(every.dev)).toHaveLength(1);
      expect(regionalAcls(least)).toHaveLength(0);
    });

    test('blocks only what its rules match, with the same rejection', () => {
      const { DefaultAction, CustomResponseBodies } = acl?.Properties ?? {};
      expect(DefaultAction).toEqual({ Allow: {} });
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
      const [other] = regionalAcls(every.prod);
      const [, byPath, byAddress] = other?.Properties.Rules ?? [];
      expect(byPath.Statement.RateBasedStatement.Limit).toBe(8_000);
      expect(byAddress.Statement.RateBasedStatement.Limit).toBe(60_000);
    });

    test('limits the requests of pages most', () => {
      const { RateBasedStatement } = rules['flood-of-pages'].Statement;
      expect(RateBasedStatement.ScopeDownStatement).toEqual(path('CONTAINS', '/api/v1/browser/'));
      expect(RateBasedStatement.Limit).toBeLessThan(5_000);
    });

    test.each([
      ['body-too-large', '/api/v1/'],
      ['source-body-too-large', '/sources/v1'],
    ])('%s reads the value of Content-Length below %s', (name, prefix) => {
      const [ofPath, length] = rules[name].Statement.AndStatement.Statements;
      expect(ofPath).toEqual(path('CONTAINS', prefix));
      expect(length.RegexMatchStatement).toMatchObject({
        FieldToMatch: { SingleHeader: { Name: 'content-length' } },
        RegexString: BODY_TOO_LARGE,
      });
    });

    test.each([
      ['0', false],
      ['4499999', false],
      ['4500000', true],
      ['10485760', true],
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

test('no firewall keeps a sample of any request, which would show the token of an owner', () => {
  const acls = Object.values(prod.findResources('AWS::WAFv2::WebACL')).map(({ Properties }) => Properties);
  const configurations = acls.flatMap((acl) => [acl, ...acl.Rules]).map((it) => it.VisibilityConfig);
  expect(acls).toHaveLength(2);
  for (const { SampledRequestsEnabled } of configurations) expect(SampledRequestsEnabled).toBe(false);
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

  test('has a limit that can be changed, or switched off', () => {
    const [[, other] = []] = aclsOf(synthesize('dev', GRAPHS_AND_FIREWALL));
    expect(other?.Properties.Rules[0].Statement.RateBasedStatement.Limit).toBe(600);
    for (const without of [synthesize('dev'), least]) {
      expect(aclsOf(without)).toEqual([]);
      expect(webAclOf(without)).toBeUndefined();
    }
  });

  test('can be replaced by an existing web ACL, in every region', () => {
    expect(aclsOf(every.prod)).toEqual([]);
    expect(webAclOf(every.prod)).toBe(EVERY_SETTING.consoleWebAclArn);
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

test('each method that takes leads has its own throttle, and the retired path has that of the stage', () => {
  for (const api of ['IngestApi', 'SourcesApi']) {
    const methods = restMethodsOf(prod).filter(({ apiId, method }) => apiId === api && method !== 'ANY');
    const own = methods.map(({ method, path }) => `${method} /${path}`);
    const [ofStage, ...throttles] = throttlesOf(prod, api);
    expect(ofStage).toMatch(/^\* \/\*: /);
    expect(throttles.map((it) => it.split(':')[0]).sort()).toEqual(own.sort());
  }
});

test('the throttles follow the share of the quota for the stack', () => {
  // A quarter of the default.
  expect(throttlesOf(prod)).toContain('POST //api/v1/ingest/{slug}: 4000, 2000');
  expect(throttlesOf(every.prod)).toContain('POST //api/v1/ingest/{slug}: 1000, 500');
  every.prod.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
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
