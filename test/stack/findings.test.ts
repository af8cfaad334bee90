import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Annotations, Stack } from 'aws-cdk-lib';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { makeGithubApp } from '../../lib/github-deployment-stack.ts';
import { makeApp, makeConsoleFirewallApp } from '../../lib/lead-ingest-app.ts';
import { EVERY_SETTING, WITHOUT_CONSOLE, withAssembly } from './synthesize.ts';

const WITHOUT_CODE = { 'aws:cdk:bundling-stacks': [] };

/** The findings of CDK's CloudFormation validation and cdk-nag, and the warnings of CDK. */
function readReports(outdir: string): unknown[] {
  return JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')).pluginReports;
}

const CONTEXTS = {
  'as it is': {},
  'with every setting': EVERY_SETTING,
  'without a console': WITHOUT_CONSOLE,
};
const ROWS = ['dev', 'prod'].flatMap((stage) =>
  Object.entries(CONTEXTS).map(([settings, context]) => [stage, settings, context] as const),
);

test.each(ROWS)('%s, %s: neither CDK nor cdk-nag has a finding or a warning', (stage, _settings, context) => {
  withAssembly((outdir) => {
    makeApp({ outdir, context: { stage, ...context, ...WITHOUT_CODE } }).synth();
    expect(readReports(outdir)).toEqual([]);
  });
});

test("the console's web ACL by itself: neither CDK nor cdk-nag has a finding or a warning", () => {
  withAssembly((outdir) => {
    makeConsoleFirewallApp({ outdir, context: { stage: 'prod' } }).synth();
    expect(readReports(outdir)).toEqual([]);
  });
});

test('the roles for GitHub: neither CDK nor cdk-nag has a finding or a warning', () => {
  withAssembly((outdir) => {
    makeGithubApp({ outdir, context: { repository: 'acme/leads' } }).synth();
    expect(readReports(outdir)).toEqual([]);
  });
});

test('the checks see what cdk-nag finds, what CloudFormation refuses, and what CDK warns of', () => {
  withAssembly((outdir) => {
    const app = makeApp({ outdir, context: WITHOUT_CODE });
    const stack = app.node.children.find(Stack.isStack) as Stack;
    new Bucket(stack, 'WithoutAccessLog');
    new CfnBucket(stack, 'Odd', { accessControl: 'NoSuchControl' });
    Annotations.of(stack).addWarningV2('odd', 'Beware');

    expect(() => app.synth()).toThrow();
    const report = JSON.stringify(readReports(outdir));
    expect(report).toContain('AwsSolutions-S1');
    expect(report).toContain('NoSuchControl');
    expect(report).toContain('Beware');
  });
});

test('every feature flag that CDK recommends is set', () => {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const recommended = JSON.parse(
    readFileSync('node_modules/aws-cdk-lib/recommended-feature-flags.json', 'utf8'),
  ) as Record<string, unknown>;
  expect(Object.keys(recommended).filter((flag) => !(flag in context))).toEqual([]);
});
