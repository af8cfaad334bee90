import { runInNewContext } from 'node:vm';
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

  test('is private and encrypted, without access lists', () => {
    expect(only('AWS::S3::Bucket')).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    });
  });

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

  test('is deleted with the stack in dev, and kept in prod', () => {
    dev.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Delete' });
    prod.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    dev.resourceCountIs('Custom::S3AutoDeleteObjects', 1);
    prod.resourceCountIs('Custom::S3AutoDeleteObjects', 0);
  });
});

describe('the distribution', () => {
  test.each([
    ['dev', dev],
    ['prod', prod],
  ] as const)(
    'in %s keeps its logical id, since its domain is the address that owners know',
    (_, template) => {
      expect(Object.keys(template.findResources('AWS::CloudFront::Distribution'))).toEqual(['Console']);
    },
  );

  test('speaks HTTP/2 and HTTP/3, over IPv6 too', () => {
    expect(distribution).toMatchObject({ HttpVersion: 'http2and3', IPV6Enabled: true, Enabled: true });
  });

  test('does not replace error responses: those of the API stay unchanged', () => {
    expect(distribution.CustomErrorResponses).toBeUndefined();
  });

  test('names global resources after stage and region, so that two regions do not collide', () => {
    const name = `lead-ingest-console-prod-\${AWS::Region}`;
    expect(asText(only('AWS::CloudFront::OriginAccessControl').OriginAccessControlConfig.Name)).toBe(name);
    expect(asText(headersOf(DefaultCacheBehavior).Name)).toBe(name);
    const requests = Object.values(prod.findResources('AWS::CloudFront::OriginRequestPolicy'));
    expect(
      requests.map(({ Properties }) => asText(Properties.OriginRequestPolicyConfig.Name)).sort(),
    ).toEqual([`${name}-session`, `${name}-settings`]);
    expect(asText(only('AWS::CloudFront::Function').Name)).toMatch(/^\$\{AWS::Region\}/);
  });
});

describe('files', () => {
  test('come from the bucket, by signed requests', () => {
    expect(originOf(DefaultCacheBehavior)).toMatchObject({
      DomainName: { 'Fn::GetAtt': ['ConsoleFiles', 'RegionalDomainName'] },
      OriginAccessControlId: { 'Fn::GetAtt': [expect.any(String), 'Id'] },
      S3OriginConfig: { OriginAccessIdentity: '' },
    });
    expect(only('AWS::CloudFront::OriginAccessControl').OriginAccessControlConfig).toMatchObject({
      OriginAccessControlOriginType: 's3',
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    });
  });

  test('are cached, compressed, sent over TLS, and only read', () => {
    expect(DefaultCacheBehavior).toMatchObject({
      CachePolicyId: CACHING_OPTIMIZED,
      Compress: true,
      ViewerProtocolPolicy: 'redirect-to-https',
    });
    // Absent is GET and HEAD.
    expect(DefaultCacheBehavior.AllowedMethods).toBeUndefined();
  });
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
  const { SecurityHeadersConfig, CustomHeadersConfig } = headersOf(DefaultCacheBehavior);
  const policy = asText(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy);
  const directives = Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  );

  test('override those of the bucket', () => {
    expect(JSON.stringify([SecurityHeadersConfig, CustomHeadersConfig])).not.toContain('"Override":false');
  });

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

  test.each(["'unsafe-eval'", "'unsafe-inline'", '*', 'http:', ' https: ', 'blob:'])(
    'never allow %s',
    (source) => {
      expect(policy).not.toContain(source);
    },
  );

  test('enforce TLS and forbid sniffing, framing and referrers', () => {
    expect(SecurityHeadersConfig).toMatchObject({
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY' },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
    });
  });

  test('disable browser features that the console does not use', () => {
    const custom = CustomHeadersConfig.Items.map(({ Header, Value }: Record<string, string>) => [
      Header,
      Value,
    ]);
    expect(Object.fromEntries(custom)).toEqual({
      'Permissions-Policy': expect.stringMatching(/camera=\(\).*microphone=\(\).*clipboard-write=\(self\)/),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  });
});

describe('the routing', () => {
  const { FunctionCode, FunctionConfig } = only('AWS::CloudFront::Function');
  const route = (uri: string): string => {
    const event = {
      version: '1.0',
      request: { method: 'GET', uri, querystring: {}, headers: {}, cookies: {} },
    };
    return runInNewContext(`${FunctionCode}\nhandler(event)`, { event }).uri;
  };

  test('runs before the file is looked up', () => {
    const [id] = Object.keys(prod.findResources('AWS::CloudFront::Function'));
    expect(FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
    expect(DefaultCacheBehavior.FunctionAssociations).toEqual([
      { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [id, 'FunctionARN'] } },
    ]);
  });

  test.each([
    ['/', '/index.html'],
    ['/forms', '/index.html'],
    ['/forms/', '/index.html'],
    ['/forms/form_1/leads', '/index.html'],
    ['/odd.folder/page', '/index.html'],
    ['/settings', '/index.html'],
    ['/index.html', '/index.html'],
    ['/config.json', '/config.json'],
    ['/favicon.svg', '/favicon.svg'],
    ['/assets/index-B2fb-3eP.js', '/assets/index-B2fb-3eP.js'],
    ['/assets/no-such-file.js', '/assets/no-such-file.js'],
    ['/forms/missing.css', '/forms/missing.css'],
  ])('%s gets %s', (uri, expected) => {
    expect(route(uri)).toBe(expected);
  });
});

describe('files of the SDK', () => {
  const { CacheBehaviors, DefaultCacheBehavior } =
    prod.findResources('AWS::CloudFront::Distribution').Console?.Properties.DistributionConfig ?? {};
  const sdk = CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === '/sdk/*');
  const headers = prod.findResources('AWS::CloudFront::ResponseHeadersPolicy')[
    sdk.ResponseHeadersPolicyId.Ref
  ]?.Properties.ResponseHeadersPolicyConfig;

  describe('the SDK', () => {
    test('is served like the console, without its routing', () => {
      const { FunctionAssociations: _, ResponseHeadersPolicyId: __, ...files } = DefaultCacheBehavior;
      expect(sdk).toEqual({
        ...files,
        PathPattern: '/sdk/*',
        ResponseHeadersPolicyId: { Ref: expect.any(String) },
      });
    });

    test('can be loaded by pages of every origin, with an integrity hash and without cookies', () => {
      expect(headers).toMatchObject({
        CorsConfig: { AccessControlAllowOrigins: { Items: ['*'] }, AccessControlAllowCredentials: false },
        CustomHeadersConfig: { Items: [{ Header: 'Cross-Origin-Resource-Policy', Value: 'cross-origin' }] },
        SecurityHeadersConfig: {
          ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'" },
          ContentTypeOptions: { Override: true },
          StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: true },
        },
      });
    });

    test('names its policy after stage and region, so that two regions do not collide', () => {
      expect(asText(headers.Name)).toBe(`lead-ingest-console-prod-\${AWS::Region}-sdk`);
    });
  });
});
