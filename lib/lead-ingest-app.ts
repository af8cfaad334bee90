import { App, type AppProps, CfnOutput, Stack, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { propsFrom } from './context/from-props.ts';
import { keysForAllApps, OWN_TAGS } from './context/kinds.ts';
import { contextOf, readSettings } from './context.ts';
import { featureFlags } from './feature-flags.ts';
import { ConsoleFirewall, FIREWALL_REGION } from './firewall.ts';
import { LeadIngestStack } from './lead-ingest-stack.ts';

/** The CDK app, which cdk-nag checks. */
export function makeApp(props: AppProps = {}): App {
  const app = makeUncheckedApp(props);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

/**
 * The same app for whoever only reads its template. The feature flags of cdk.json apply even if no CDK command line
 * passes them on; a deployer's settings in it do not: a local stack or a test must not have the name of one on AWS.
 */
export function makeUncheckedApp(props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...featureFlags(), ...props.context } });
  const given = contextOf(app.node, {
    region: process.env.CDK_DEFAULT_REGION,
    keysForAllApps: keysForAllApps(),
  });
  const settings = propsFrom(given);
  new LeadIngestStack(app, `LeadIngest-${settings.stage}`, settings);
  return app;
}

/**
 * A separate CDK app, for a service outside us-east-1: the console's web ACL must be there. It takes the service's
 * settings, and its output is the setting consoleWebAclArn.
 */
export function makeConsoleFirewallApp(props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...featureFlags(), ...props.context } });
  const { stage, consoleFirewall, tags } = readSettings(app.node, { keysForAllApps: keysForAllApps() });
  const stack = new Stack(app, `LeadIngest-console-firewall-${stage.name}`, {
    description: `The web ACL before the console of the lead ingestion service (${stage.name})`,
    env: { region: FIREWALL_REGION },
  });
  const { requestsPerMinuteByAddress } = consoleFirewall;
  const firewall = new ConsoleFirewall(stack, 'Firewall', { stage, requestsPerMinuteByAddress });
  new CfnOutput(stack, 'ConsoleWebAclArn', { value: firewall.arn });
  const allTags = { ...tags, [OWN_TAGS.service]: 'lead-ingest', [OWN_TAGS.stage]: stage.name };
  for (const [key, value] of Object.entries(allTags)) Tags.of(stack).add(key, value);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
