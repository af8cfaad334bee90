import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGithubApp } from '../../lib/github-deployment-stack.ts';
import { makeApp, makeConsoleFirewallApp } from '../../lib/lead-ingest-app.ts';
import type { StageName } from '../../lib/stage.ts';
import { EVERY_SETTING, SMALL_ACCOUNT, WITHOUT_CONSOLE, withAssembly } from './synthesize.ts';

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

/** Every template that can be deployed, by a name for its file: each stage with each kind of settings, and the roles. */
function everyTemplate(): Map<string, object> {
  const templates = new Map<string, object>();
  const synthesize = (name: string, make: typeof makeApp, context: object) =>
    withAssembly((outdir) => {
      const app = make({
        outdir,
        context: { ...WITHOUT_CODE, ...context },
        builtinCloudFormationValidation: false,
      });
      templates.set(name, app.synth().stacks[0]?.template as object);
    });
  for (const stage of STAGES) {
    for (const [name, context] of Object.entries(CONTEXTS)) {
      synthesize(`${stage}-${name}`, makeApp, { stage, ...context });
    }
    synthesize(`${stage}-console-firewall`, makeConsoleFirewallApp, { stage });
  }
  for (const [name, context] of Object.entries(GITHUB_CONTEXTS)) {
    synthesize(name, makeGithubApp, { repository: 'acme/leads', ...context });
  }
  return templates;
}

/** `npm run synth:all -- FOLDER`: for tools that read templates, such as cfn-lint. */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Which folder? npm run synth:all -- cdk.out/templates');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const [name, template] of everyTemplate()) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(template, undefined, 2)}\n`);
  console.log(file);
}
