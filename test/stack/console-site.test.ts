import { describe, expect, test } from '@jest/globals';
import { asText, synthesize } from './synthesize.ts';

const dev = synthesize('dev');
const prod = synthesize('prod');
const only = (type: string) => {
  const found = Object.values(prod.findResources(type));
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};
const { DistributionConfig: distribution } = only('AWS::CloudFront::Distribution');
const { Origins, CacheBehaviors, DefaultCacheBehavior } = distribution;
const [settings, session] = CacheBehaviors;
const headersOf = ({ ResponseHeadersPolicyId }: { ResponseHeadersPolicyId: { Ref: string } }) =>
  prod.findResources('AWS::CloudFront::ResponseHeadersPolicy')[ResponseHeadersPolicyId.Ref]?.Properties
    .ResponseHeadersPolicyConfig;
const originOf = ({ TargetOriginId }: { TargetOriginId: string }) =>
  Origins.find(({ Id }: { Id: string }) => Id === TargetOriginId);

// CloudFront's own policies, which have the same ids everywhere:
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

describe('the bucket', () => {
  const { Statement: statements } = only('AWS::S3::BucketPolicy').PolicyDocument;
  const allowed = statements.filter(({ Effect }: { Effect: string }) => Effect === 'Allow');

  test('is readable only by this distribution', () => {
    expect(allowed).toEqual([
      expect.objectContaining({
        Action: ['s3:GetObject', 's3:ListBucket'],
        Principal: { Service: 'cloudfront.amazonaws.com' },
      }),
    ]);
    expect(asText(allowed[0].Condition.StringEquals['AWS:SourceArn'])).toBe(
      `arn:\${AWS::Partition}:cloudfront::\${AWS::AccountId}:distribution/\${Console}`,
    );
  });

  test('requires TLS 1.2 or later', () => {
    const denied = statements.filter(({ Effect }: { Effect: string }) => Effect === 'Deny');
    expect(denied.map(({ Condition }: { Condition: unknown }) => Condition)).toEqual([
      { Bool: { 'aws:SecureTransport': 'false' } },
      { NumericLessThan: { 's3:TlsVersion': 1.2 } },
    ]);
  });

  test('is deleted with the stack in dev only', () => {
    dev.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Delete' });
    dev.resourceCountIs('Custom::S3AutoDeleteObjects', 1);
    prod.resourceCountIs('Custom::S3AutoDeleteObjects', 0);
  });
});

describe('the distribution', () => {
  test('does not replace error responses: those of the API stay unchanged', () => {
    expect(distribution.CustomErrorResponses).toBeUndefined();
  });

  test('names global resources after stage and region, so that two regions do not collide', () => {
    const named = [
      ['OriginAccessControl', 'OriginAccessControlConfig'],
      ['ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig'],
      ['OriginRequestPolicy', 'OriginRequestPolicyConfig'],
    ] as const;
    const names = named.flatMap(([type, key]) =>
      Object.values(prod.findResources(`AWS::CloudFront::${type}`)).map(({ Properties }) =>
        asText(Properties[key].Name),
      ),
    );
    expect(names.length).toBeGreaterThanOrEqual(5);
    for (const name of names) expect(name).toMatch(/^lead-ingest-console-prod-\$\{AWS::Region\}/);
    expect(asText(only('AWS::CloudFront::Function').Name)).toMatch(/^\$\{AWS::Region\}/);
  });
});

test('files are requested from the bucket with a signature, cached, sent over TLS, and only read', () => {
  expect(originOf(DefaultCacheBehavior)).toHaveProperty('OriginAccessControlId');
  const { OriginAccessControlConfig } = only('AWS::CloudFront::OriginAccessControl');
  expect(OriginAccessControlConfig).toMatchObject({ SigningBehavior: 'always', SigningProtocol: 'sigv4' });
  expect(DefaultCacheBehavior).toMatchObject({
    CachePolicyId: CACHING_OPTIMIZED,
    ViewerProtocolPolicy: 'redirect-to-https',
  });
  // Absent is GET and HEAD.
  expect(DefaultCacheBehavior.AllowedMethods).toBeUndefined();
});

describe('the API', () => {
  const policies = prod.findResources('AWS::CloudFront::OriginRequestPolicy');
  const cookiesTo = ({ OriginRequestPolicyId }: { OriginRequestPolicyId: { Ref: string } }) =>
    policies[OriginRequestPolicyId.Ref]?.Properties.OriginRequestPolicyConfig.CookiesConfig;

  test('has two paths on the same origin', () => {
    const paths = CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    expect(paths).toEqual(['/settings/*', '/session', '/sdk/*']);
    for (const behavior of [settings, session]) {
      const origin = originOf(behavior);
      expect(`https://${asText(origin.DomainName)}`).toBe(asText(prod.toJSON().Outputs.SettingsUrl.Value));
      expect(origin.CustomOriginConfig).toEqual({
        OriginProtocolPolicy: 'https-only',
        OriginSSLProtocols: ['TLSv1.2'],
      });
    }
  });

  test('gets requests unchanged except for cookies, and its responses are unchanged and not cached', () => {
    for (const behavior of [settings, session]) {
      expect(behavior).toMatchObject({
        AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE']),
        CachePolicyId: CACHING_DISABLED,
        ViewerProtocolPolicy: 'https-only',
      });
      expect(behavior).not.toHaveProperty('ResponseHeadersPolicyId');
      expect(behavior).not.toHaveProperty('FunctionAssociations');
    }
    for (const { Properties } of Object.values(policies)) {
      expect(Properties.OriginRequestPolicyConfig).toMatchObject({
        HeadersConfig: { HeaderBehavior: 'allExcept', Headers: ['host'] },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      });
    }
  });

  test("gets the session's cookie on its own path only", () => {
    expect(cookiesTo(settings)).toEqual({ CookieBehavior: 'none' });
    expect(cookiesTo(session)).toEqual({ CookieBehavior: 'whitelist', Cookies: ['__Host-session'] });
    expect(DefaultCacheBehavior).not.toHaveProperty('OriginRequestPolicyId');
  });
});

describe("the headers of the console's files", () => {
  const { SecurityHeadersConfig } = headersOf(DefaultCacheBehavior);
  const policy = asText(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy);
  const directives = Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  );

  test('have a content security policy that allows nothing by default', () => {
    expect(directives).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': `'self' https://cognito-idp.\${AWS::Region}.\${AWS::URLSuffix}`,
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  test('enforce TLS and forbid sniffing, framing and referrers', () => {
    expect(SecurityHeadersConfig).toMatchObject({
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY' },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
    });
  });
});

// test/local/console.test.ts shows what it does.
test('the routing runs before the file is looked up', () => {
  const [[id, fn] = []] = Object.entries(prod.findResources('AWS::CloudFront::Function'));
  expect(fn?.Properties.FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
  expect(DefaultCacheBehavior.FunctionAssociations).toEqual([
    { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [id, 'FunctionARN'] } },
  ]);
});

describe('the SDK', () => {
  const sdk = CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === '/sdk/*');

  test('is served like the console, without its routing', () => {
    const { FunctionAssociations: _, ResponseHeadersPolicyId: __, ...files } = DefaultCacheBehavior;
    expect(sdk).toEqual({
      ...files,
      PathPattern: '/sdk/*',
      ResponseHeadersPolicyId: { Ref: expect.any(String) },
    });
  });

  test('can be loaded by pages of every origin, with an integrity hash and without cookies', () => {
    expect(headersOf(sdk)).toMatchObject({
      CorsConfig: { AccessControlAllowOrigins: { Items: ['*'] }, AccessControlAllowCredentials: false },
      CustomHeadersConfig: { Items: [{ Header: 'Cross-Origin-Resource-Policy', Value: 'cross-origin' }] },
      SecurityHeadersConfig: {
        ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'" },
        ContentTypeOptions: { Override: true },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: true },
      },
    });
  });
});
