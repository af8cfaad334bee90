import { describe, expect, test } from '@jest/globals';
import { ANNOUNCES_TOO_MUCH } from '../../lib/firewall.ts';
import { asText, synthesise } from './synthesise.ts';

const prod = synthesise('prod');
const REGIONAL = { Properties: { Scope: 'REGIONAL' } };
const regionalAcls = (template: ReturnType<typeof synthesise>) =>
  Object.values(template.findResources('AWS::WAFv2::WebACL', REGIONAL));
const [acl] = regionalAcls(prod);
const rules = Object.fromEntries(acl?.Properties.Rules.map((rule: { Name: string }) => [rule.Name, rule]));

describe('the web ACL', () => {
  test('protects the ingest API in prod, elsewhere if asked for', () => {
    const [association] = Object.values(prod.findResources('AWS::WAFv2::WebACLAssociation'));
    expect(asText(association?.Properties.ResourceArn)).toMatch(
      /:apigateway:.*::\/restapis\/\$\{IngestApi\}\/stages\/\$\{IngestApi\w*Stage\w*\}$/,
    );
    expect(regionalAcls(synthesise('dev'))).toHaveLength(0);
    expect(regionalAcls(synthesise('dev', { ingestFirewall: 'true' }))).toHaveLength(1);
    expect(regionalAcls(synthesise('prod', { ingestFirewall: 'false' }))).toHaveLength(0);
  });

  test('lets everything through but what its rules catch, which gets the one rejection', () => {
    const { DefaultAction, CustomResponseBodies } = acl?.Properties ?? {};
    expect(DefaultAction).toEqual({ Allow: {} });
    expect(Object.keys(rules)).toEqual(['announces-too-much', 'flood-of-one-path', 'flood-from-one-address']);
    for (const { Action } of Object.values(rules)) {
      expect(Action).toEqual({
        Block: { CustomResponse: { ResponseCode: 200, CustomResponseBodyKey: 'rejection' } },
      });
    }
    expect(CustomResponseBodies).toEqual({
      rejection: { ContentType: 'APPLICATION_JSON', Content: '{"status":"rejected"}' },
    });
  });

  test('bounds what one address sends in a minute, whatever the path', () => {
    expect(rules['flood-from-one-address'].Statement).toEqual({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 10_000 },
    });
  });

  test('bounds what one address sends to one path, but for the path that all server tokens share', () => {
    const { ScopeDownStatement, ...rate } = rules['flood-of-one-path'].Statement.RateBasedStatement;
    expect(rate).toEqual({
      AggregateKeyType: 'CUSTOM_KEYS',
      CustomKeys: [{ IP: {} }, { UriPath: { TextTransformations: [{ Priority: 0, Type: 'NONE' }] } }],
      EvaluationWindowSec: 60,
      Limit: 5_000,
    });
    expect(ScopeDownStatement.NotStatement.Statement.ByteMatchStatement).toMatchObject({
      FieldToMatch: { UriPath: {} },
      PositionalConstraint: 'ENDS_WITH',
      SearchString: '/api/v1/ingest',
    });
  });

  test('has the ceilings that a deployer sets', () => {
    const [other] = regionalAcls(
      synthesise('prod', {
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
