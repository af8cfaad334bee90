import { expect, test } from '@jest/globals';

import { Template } from 'aws-cdk-lib/assertions';
import { makeConsoleFirewallApp } from '../../lib/console-firewall-app.ts';
import { synthesise, withAssembly } from './synthesise.ts';

const FOR_CLOUDFRONT = { Properties: { Scope: 'CLOUDFRONT' } };
const aclsOf = (template: Template) =>
  Object.entries(template.findResources('AWS::WAFv2::WebACL', FOR_CLOUDFRONT));
const webAclOf = (template: Template) =>
  template.findResources('AWS::CloudFront::Distribution').Console?.Properties.DistributionConfig.WebACLId;

const prod = synthesise('prod');
const [[id, acl] = []] = aclsOf(prod);

test('in prod it protects the console where AWS can create it, in us-east-1 only', () => {
  const condition = acl?.Condition;
  expect(prod.toJSON().Conditions[condition]).toEqual({
    'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'],
  });
  expect(webAclOf(prod)).toEqual({
    'Fn::If': [condition, { 'Fn::GetAtt': [id, 'Arn'] }, { Ref: 'AWS::NoValue' }],
  });
});

test('it answers 429 to an address above the ceiling, and lets everything else through', () => {
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

test('it keeps no sample of any request: one would show the token of an owner', () => {
  const { VisibilityConfig, Rules } = acl?.Properties ?? {};
  for (const { SampledRequestsEnabled } of [VisibilityConfig, Rules[0].VisibilityConfig]) {
    expect(SampledRequestsEnabled).toBe(false);
  }
});

test('the ceiling, and whether there is one at all, are settings', () => {
  const settings = { consoleFirewall: 'true', consoleRequestsPerMinuteByAddress: '600' };
  const [[, other] = []] = aclsOf(synthesise('dev', settings));
  expect(other?.Properties.Rules[0].Statement.RateBasedStatement.Limit).toBe(600);
  for (const without of [synthesise('dev'), synthesise('prod', { consoleFirewall: 'false' })]) {
    expect(aclsOf(without)).toEqual([]);
    expect(webAclOf(without)).toBeUndefined();
  }
});

test('one that was made elsewhere takes its place, in every region', () => {
  const consoleWebAclArn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/console/1234abcd';
  const template = synthesise('prod', { consoleWebAclArn });
  expect(aclsOf(template)).toEqual([]);
  expect(webAclOf(template)).toBe(consoleWebAclArn);
});

test('the app that makes it for another region has the same rule, in us-east-1, and says its ARN', () => {
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
