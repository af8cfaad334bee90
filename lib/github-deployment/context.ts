import type { Node } from 'constructs';
import { ContextError } from '../context/kinds.ts';
import { isCdkKey } from '../context/unknown-keys.ts';
import type { StageName } from '../stage.ts';

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

/** Everything that `-c` takes here. */
export const GITHUB_KEYS = {
  repository: {
    allowed: 'owner/name, or owner@1/name@2 with the ids that the tokens of newer repositories have',
    pattern: REPOSITORY,
  },
  stages: { allowed: 'dev, prod or dev,prod', byDefault: 'dev,prod', pattern: /^(dev|prod|dev,prod)$/ },
  oidcProviderArn: { allowed: "the ARN of the account's provider for GitHub", pattern: PROVIDER },
} as const satisfies Record<string, Key>;

/**
 * Reads all settings or throws a ContextError. Settings of the service itself, for example in cdk.json, are not for
 * this app.
 */
export function readGithubSettings(node: Node, ofOtherApps: ReadonlySet<string>): GithubSettings {
  const known = Object.keys(GITHUB_KEYS);
  const unknown = Object.keys(node.getAllContext()).find(
    (key) => !known.includes(key) && !isCdkKey(key) && !ofOtherApps.has(key),
  );
  if (unknown !== undefined) {
    throw new ContextError(`Unknown context key "${unknown}". Known keys: ${known.join(', ')}.`);
  }
  const repository = read(node, 'repository');
  if (repository === undefined) {
    throw new ContextError('Which repository may deploy? Add -c repository=owner/name.');
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
  throw new ContextError(`Context "${name}" must be ${key.allowed}, but is ${JSON.stringify(given)}.`);
}
