import { App, type AppProps, CfnOutput, Stack, Tags, Validations } from 'aws-cdk-lib';
import {
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct, Node } from 'constructs';
import { acknowledgeWildcards, type Reasoned } from './acknowledge-wildcards.ts';
import { isCdkKey, keysForAllApps, OWN_TAGS, SettingsError } from './context/kinds.ts';
import { SETTINGS_SCHEMA } from './context/schema.ts';
import { featureFlags } from './feature-flags.ts';
import { conformanceStatements } from './github-deployment/conformance-access.ts';
import type { StageName } from './stage.ts';

/** Which repository may deploy which stages into this account. */
export interface GithubSettings {
  /** As GitHub's tokens name it: `owner/name`, or `owner@1/name@2` in repositories made since July 2026. */
  readonly repository: string;
  readonly stages: readonly StageName[];
  /** An account can have one provider for GitHub. Undefined: this stack creates it. */
  readonly oidcProviderArn: string | undefined;
}

const PART = '[\\w.-]+(@\\d+)?';
const REPOSITORY = new RegExp(`^${PART}/${PART}$`);
const PROVIDER = /^arn:[\w-]+:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/;
const STAGES: readonly StageName[] = ['dev', 'prod'];

interface Key {
  readonly allowed: string;
  readonly byDefault?: string;
  readonly pattern: RegExp;
}

/** The context keys of this app. */
export const GITHUB_KEYS = {
  repository: {
    allowed: 'owner/name, or owner@1/name@2 with the ids that the tokens of newer repositories have',
    pattern: REPOSITORY,
  },
  stages: { allowed: 'dev, prod or dev,prod', byDefault: 'dev,prod', pattern: /^(dev|prod|dev,prod)$/ },
  oidcProviderArn: { allowed: "the ARN of the account's provider for GitHub", pattern: PROVIDER },
} as const satisfies Record<string, Key>;

/**
 * Reads all settings or throws a SettingsError. Settings of the service itself, for example in cdk.json, are not for
 * this app.
 */
export function readGithubSettings(node: Node, ofOtherApps: ReadonlySet<string>): GithubSettings {
  const known = Object.keys(GITHUB_KEYS);
  const unknown = Object.keys(node.getAllContext()).find(
    (key) => !known.includes(key) && !isCdkKey(key) && !ofOtherApps.has(key),
  );
  if (unknown !== undefined) {
    throw new SettingsError(`Unknown context key "${unknown}". Known keys: ${known.join(', ')}.`);
  }
  const repository = read(node, 'repository');
  if (repository === undefined) {
    throw new SettingsError('Which repository may deploy? Add -c repository=owner/name.');
  }
  const stages = read(node, 'stages')?.split(',') ?? [];
  return {
    repository,
    stages: STAGES.filter((stage) => stages.includes(stage)),
    oidcProviderArn: read(node, 'oidcProviderArn'),
  };
}

function read(node: Node, name: keyof typeof GITHUB_KEYS): string | undefined {
  const key: Key = GITHUB_KEYS[name];
  const given: unknown = node.tryGetContext(name) ?? key.byDefault;
  if (given === undefined) return undefined;
  if (typeof given === 'string' && key.pattern.test(given)) return given;
  throw new SettingsError(`Context "${name}" must be ${key.allowed}, but is ${JSON.stringify(given)}.`);
}

const ISSUER = 'token.actions.githubusercontent.com';
const AUDIENCE = 'sts.amazonaws.com';

/**
 * The roles that `cdk bootstrap` made for deployments. CloudFormation itself uses another one, which cannot be assumed
 * from here.
 */
const BOOTSTRAP_ROLES = ['deploy', 'file-publishing', 'lookup'] as const;

/** The roles that a GitHub workflow assumes through OIDC, without keys: see .github/workflows/deploy.yml. */
export class GithubDeploymentStack extends Stack {
  private readonly settings: GithubSettings;
  private readonly providerArn: string;

  constructor(scope: Construct, settings: GithubSettings) {
    super(scope, 'LeadIngest-github', {
      description: `Lets ${settings.repository} on GitHub deploy the lead ingestion service`,
      terminationProtection: true,
    });
    Tags.of(this).add(OWN_TAGS.service, 'lead-ingest');
    this.settings = settings;
    this.providerArn = settings.oidcProviderArn ?? this.makeProvider();
    const diff = this.makeRole('DiffRole', 'pull_request', 'Compares a pull request with what is deployed', [
      this.readTemplates(),
    ]);
    new CfnOutput(this, 'DiffRoleArn', { value: diff.roleArn });
    for (const stage of settings.stages) {
      const role = this.makeRole(
        `${capitalized(stage)}DeployRole`,
        `environment:${stage}`,
        `Deploys the stage ${stage} and tries its conformance`,
        [this.assumeBootstrapRoles(), ...conformanceStatements(this, stage)],
      );
      new CfnOutput(this, `${capitalized(stage)}DeployRoleArn`, { value: role.roleArn });
    }
  }

  private makeProvider(): string {
    return new OidcProviderNative(this, 'Provider', { url: `https://${ISSUER}`, clientIds: [AUDIENCE] })
      .oidcProviderArn;
  }

  /** @param subject the part of GitHub's subject claim after the repository. It must match exactly. */
  private makeRole(id: string, subject: string, description: string, statements: Reasoned[]): Role {
    const role = new Role(this, id, {
      description,
      assumedBy: new WebIdentityPrincipal(this.providerArn, {
        StringEquals: {
          [`${ISSUER}:aud`]: AUDIENCE,
          [`${ISSUER}:sub`]: `repo:${this.settings.repository}:${subject}`,
        },
      }),
      inlinePolicies: {
        Workflow: new PolicyDocument({ statements: statements.map(({ statement }) => statement) }),
      },
    });
    acknowledgeWildcards(role.node.defaultChild ?? role, statements);
    return role;
  }

  /**
   * The templates, which are listed as resources if nested, and nothing else. Not CDK's lookup role, which can read every table: anyone who opens a pull request
   * decides what runs in it, and leads are not for them.
   */
  private readTemplates(): Reasoned {
    // The second is the nested stack of alarms and dashboard.
    const arnsOf = (stage: StageName) =>
      [`LeadIngest-${stage}/*`, `LeadIngest-${stage}-*/*`].map((resourceName) =>
        this.formatArn({ service: 'cloudformation', resource: 'stack', resourceName }),
      );
    return {
      statement: new PolicyStatement({
        actions: ['DescribeStacks', 'GetTemplate', 'ListStackResources'].map(
          (action) => `cloudformation:${action}`,
        ),
        resources: this.settings.stages.flatMap(arnsOf),
      }),
      wildcard: 'CloudFormation ends the ARN of a stack with an id of its own.',
    };
  }

  private assumeBootstrapRoles(): Reasoned {
    const qualifier = this.synthesizer.bootstrapQualifier;
    const names = BOOTSTRAP_ROLES.map(
      (name) => `cdk-${qualifier}-${name}-role-${this.account}-${this.region}`,
    );
    return {
      statement: new PolicyStatement({
        actions: ['sts:AssumeRole'],
        resources: names.map((resourceName) =>
          this.formatArn({ service: 'iam', region: '', resource: 'role', resourceName }),
        ),
      }),
    };
  }
}

function capitalized(stage: StageName): string {
  return `${stage[0]?.toUpperCase()}${stage.slice(1)}`;
}

/** A separate CDK app. An administrator deploys it once by hand, before GitHub can deploy. */
export function makeGithubApp(props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...featureFlags(), ...props.context } });
  const ofOtherApps = new Set([...Object.keys(SETTINGS_SCHEMA), ...keysForAllApps()]);
  new GithubDeploymentStack(app, readGithubSettings(app.node, ofOtherApps));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
