import { makeGithubApp } from '../../lib/github-deployment-stack.ts';
import { type makeApp, makeConsoleFirewallApp } from '../../lib/lead-ingest-app.ts';
import type { StageName } from '../../lib/stage.ts';
import type { Template } from '../../local/template.ts';
import { EVERY_SETTING, SMALL_ACCOUNT, synthesizeBoth, WITHOUT_CONSOLE, withAssembly } from './synthesize.ts';

const STAGES: readonly StageName[] = ['dev', 'prod'];
const CONTEXTS = {
  defaults: {},
  'every-setting': EVERY_SETTING,
  'without-console': WITHOUT_CONSOLE,
  'small-account': SMALL_ACCOUNT,
};
const OWN_PROVIDER = 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com';
const GITHUB_CONTEXTS = { github: {}, 'github-own-provider': { oidcProviderArn: OWN_PROVIDER } };

/** Code has no part in a template, and bundling it takes most of the time. */
const WITHOUT_CODE = { 'aws:cdk:bundling-stacks': [] };

export interface NamedTemplate {
  /** What was synthesized: `prod-every-setting`. */
  readonly name: string;
  readonly stackName: string;
  readonly template: Template;
}

/** Every template that can be deployed: each stage with each kind of settings, the firewall and the roles. */
export function everyTemplate(): NamedTemplate[] {
  return [
    ...STAGES.flatMap((stage) => [
      ...Object.entries(CONTEXTS).flatMap(([name, context]) => ofService(`${stage}-${name}`, stage, context)),
      synthesize(`${stage}-console-firewall`, makeConsoleFirewallApp, { stage }),
    ]),
    ...Object.entries(GITHUB_CONTEXTS).map(([name, context]) =>
      synthesize(name, makeGithubApp, { repository: 'acme/leads', ...context }),
    ),
  ];
}

/** The stack of the service, and the one in it. */
function ofService(name: string, stage: StageName, context: Record<string, unknown>): NamedTemplate[] {
  const { main, nested } = synthesizeBoth(stage, context);
  const stackName = `LeadIngest-${stage}`;
  const named = [{ name, stackName, template: main.toJSON() as Template }];
  if (!nested) return named;
  const template = nested.toJSON() as Template;
  return [...named, { name: `${name}-monitoring`, stackName: `${stackName}-nested`, template }];
}

function synthesize(name: string, make: typeof makeApp, context: object): NamedTemplate {
  return withAssembly((outdir) => {
    const app = make({
      outdir,
      context: { ...WITHOUT_CODE, ...context },
      builtinCloudFormationValidation: false,
    });
    const [stack] = app.synth().stacks;
    if (stack === undefined) throw new Error(`${name} has no stack`);
    return { name, stackName: stack.stackName, template: stack.template };
  });
}
