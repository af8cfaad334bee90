import { readFileSync } from 'node:fs';
import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { LeadIngestStack } from './lead-ingest-stack.ts';
import { readSettings } from './stage.ts';

const CDK_JSON = new URL('../cdk.json', import.meta.url);

/** The CDK app. The feature flags of cdk.json hold also where no CDK command line passes them on. */
export function makeApp(props: AppProps = {}): App {
  const { context } = JSON.parse(readFileSync(CDK_JSON, 'utf8'));
  const app = new App({ ...props, context: { ...context, ...props.context } });
  new LeadIngestStack(app, readSettings(app.node));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
