import { readFileSync } from 'node:fs';
import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { isCdkKey, keysForAllApps } from './context/kinds.ts';
import { readSettings } from './context.ts';
import { LeadIngestStack } from './lead-ingest-stack.ts';

const CDK_JSON = new URL('../cdk.json', import.meta.url);

/**
 * The CDK app. The feature flags of cdk.json apply even if no CDK command line passes them on; a deployer's settings in
 * it do not: a local stack or a test must not have the name of one on AWS.
 */
export function makeApp(props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...featureFlags(), ...props.context } });
  const settings = readSettings(app.node, {
    region: process.env.CDK_DEFAULT_REGION,
    keysForAllApps: keysForAllApps(),
  });
  new LeadIngestStack(app, settings);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

export function featureFlags(): Record<string, unknown> {
  const { context } = JSON.parse(readFileSync(CDK_JSON, 'utf8'));
  return Object.fromEntries(Object.entries(context).filter(([key]) => isCdkKey(key)));
}
