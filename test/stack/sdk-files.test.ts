import { describe, expect, test } from '@jest/globals';
import { asText, synthesize } from './synthesize.ts';

const prod = synthesize('prod');
const { CacheBehaviors, DefaultCacheBehavior } =
  prod.findResources('AWS::CloudFront::Distribution').Console?.Properties.DistributionConfig ?? {};
const sdk = CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === '/sdk/*');
const headers = prod.findResources('AWS::CloudFront::ResponseHeadersPolicy')[sdk.ResponseHeadersPolicyId.Ref]
  ?.Properties.ResponseHeadersPolicyConfig;

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
