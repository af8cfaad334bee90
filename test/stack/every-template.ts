import { makeGithubApp } from '../../lib/github-deployment-stack.ts';
import { makeApp, makeConsoleFirewallApp } from '../../lib/lead-ingest-app.ts';
import type { StageName } from '../../lib/stage.ts';
import type { Template } from '../../local/template.ts';
import {
  EVERY_SETTING,
  nestedTemplatesIn,
  SMALL_ACCOUNT,
  WITHOUT_CONSOLE,
  withAssembly,
} from './synthesize.ts';

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
      ...Object.entries(CONTEXTS).flatMap(([name, context]) =>
        synthesize(`${stage}-${name}`, makeApp, { stage, ...context }),
      ),
      ...synthesize(`${stage}-console-firewall`, makeConsoleFirewallApp, { stage }),
    ]),
    ...Object.entries(GITHUB_CONTEXTS).flatMap(([name, context]) =>
      synthesize(name, makeGithubApp, { repository: 'acme/leads', ...context }),
    ),
  ];
}

function synthesize(name: string, make: typeof makeApp, context: object): NamedTemplate[] {
  return withAssembly((outdir) => {
    const options = { outdir, context: { ...WITHOUT_CODE, ...context } };
    const [stack] = make({ ...options, builtinCloudFormationValidation: false }).synth().stacks;
    if (stack === undefined) throw new Error(`${name} has no stack`);
    const { stackName } = stack;
    return [
      { name, stackName, template: stack.template },
      ...nestedTemplatesIn(outdir).map((template) => ({
        name: `${name}-monitoring`,
        stackName: `${stackName}-nested`,
        template: template as unknown as Template,
      })),
    ];
  });
}
