import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { keysForAllApps } from './context/foreign-context.ts';
import { SETTINGS_SCHEMA } from './context/schema.ts';
import { readGithubSettings } from './github-deployment/context.ts';
import { GithubDeploymentStack } from './github-deployment-stack.ts';
import { featureFlags } from './lead-ingest-app.ts';

/** A CDK app of its own: an administrator deploys it once, by hand, before GitHub can deploy anything. */
export function makeGithubApp(props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...featureFlags(), ...props.context } });
  const ofOtherApps = new Set([...Object.keys(SETTINGS_SCHEMA), ...keysForAllApps()]);
  new GithubDeploymentStack(app, readGithubSettings(app.node, ofOtherApps));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
