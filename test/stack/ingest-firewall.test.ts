import { describe, expect, test } from '@jest/globals';
import { ANNOUNCES_TOO_MUCH } from '../../lib/ingest-api/firewall.ts';
import { asText, synthesise } from './synthesise.ts';

const prod = synthesise('prod');
const [acl] = Object.values(prod.findResources('AWS::WAFv2::WebACL'));

describe('the web ACL', () => {
  test('stands before the ingest API in prod, elsewhere if asked for', () => {
    const [association] = Object.values(prod.findResources('AWS::WAFv2::WebACLAssociation'));
    expect(asText(association?.Properties.ResourceArn)).toMatch(
      /:apigateway:.*::\/restapis\/\$\{IngestApi\}\/stages\/\$\{IngestApi\w*Stage\w*\}$/,
    );
    synthesise('dev').resourceCountIs('AWS::WAFv2::WebACL', 0);
    synthesise('dev', { ingestFirewall: 'true' }).resourceCountIs('AWS::WAFv2::WebACL', 1);
    synthesise('prod', { ingestFirewall: 'false' }).resourceCountIs('AWS::WAFv2::WebACL', 0);
  });

  test('lets everything through but what announces too much, which gets the one rejection', () => {
    const { DefaultAction, Rules, CustomResponseBodies } = acl?.Properties ?? {};
    expect(DefaultAction).toEqual({ Allow: {} });
    expect(Rules).toHaveLength(1);
    expect(Rules[0].Action).toEqual({
      Block: { CustomResponse: { ResponseCode: 200, CustomResponseBodyKey: 'rejection' } },
    });
    expect(CustomResponseBodies).toEqual({
      rejection: { ContentType: 'APPLICATION_JSON', Content: '{"status":"rejected"}' },
    });
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
      RegexString: ANNOUNCES_TOO_MUCH,
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
    expect(new RegExp(ANNOUNCES_TOO_MUCH).test(value)).toBe(expected);
  });
});
