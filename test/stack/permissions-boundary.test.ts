import { expect, test } from '@jest/globals';
import { EVERY_SETTING } from './every-setting.ts';
import { asText, synthesise } from './synthesise.ts';

const BOUNDARY = { '@aws-cdk/core:permissionsBoundary': { name: 'limits' } };

test.each(['dev', 'prod'] as const)('%s: a boundary that is named by context is on every role', (stage) => {
  const template = synthesise(stage, { ...EVERY_SETTING, ...BOUNDARY });
  const roles = Object.values(template.findResources('AWS::IAM::Role'));
  expect(roles.length).toBeGreaterThan(5);
  for (const { Properties } of roles) {
    expect(asText(Properties.PermissionsBoundary)).toBe(
      `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:policy/limits`,
    );
  }
});
