import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** An invalid setting. The message is shown to the person who typed it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** The values that a context key takes, and how they are read. */
export interface ContextKind<Value> {
  /** As shown in error messages and docs/deploy.md. */
  readonly allowed: string;
  /** The parsed value; undefined if it is not allowed. */
  readonly read: (given: unknown) => Value | undefined;
  /** Whether it is text of a pattern, which only the deployment may know. */
  readonly isText?: true;
}

/** Values after `-c` are text, those in cdk.json are JSON: both are read the same way. */
export function oneOf<Value>(choices: Readonly<Record<string, Value>>): ContextKind<Value> {
  return {
    allowed: Object.keys(choices).join(' or '),
    read: (given) => (Object.hasOwn(choices, String(given)) ? choices[String(given)] : undefined),
  };
}

export const YES_OR_NO = oneOf({ true: true, false: false });

export function wholeNumber(min: number, max: number): ContextKind<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    read(given) {
      const isNumber = typeof given === 'number' || (typeof given === 'string' && /^\d+$/.test(given));
      const value = Number(given);
      return isNumber && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
    },
  };
}

export const API_REQUESTS_PER_SECOND = wholeNumber(250, 1_000_000);

/** AWS's default quota in most regions. */
export const DEFAULT_API_REQUESTS_PER_SECOND = 10_000;

function textLike(pattern: RegExp, allowed: string): ContextKind<string> {
  return {
    allowed,
    read: (given) => (typeof given === 'string' && pattern.test(given) ? given : undefined),
    isText: true,
  };
}

export const HTTPS_ADDRESS = textLike(/^https:\/\/[^\s/]+/, 'an https:// address');

export const EMAIL_ADDRESS = textLike(/^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/, 'one email address');

/** Complete, because a policy on a truncated ARN allows nothing. */
export const SECRET_ARN = textLike(
  /^arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@!-]+-[A-Za-z0-9]{6}$/,
  'the complete ARN of a secret in Secrets Manager, which ends with a hyphen and six random characters',
);

/** Not an alias, which a policy cannot name. */
export const KEY_ARN = textLike(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'the ARN of a key in KMS');

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';

/** In lower case, as API Gateway requires. */
export const DOMAIN_NAME = textLike(
  new RegExp(`^(?=.{4,253}$)(${LABEL}\\.)+[a-z]${LABEL}$`),
  'a domain name in lower case, without a dot at its end',
);

export const HOSTED_ZONE_ID = textLike(
  /^Z[A-Z0-9]{1,31}$/,
  'the id of a hosted zone in Route 53, which begins with Z',
);

export const CERTIFICATE_ARN = textLike(
  /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
  'the ARN of a certificate in ACM',
);

/** Wherever the stack is: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cnames-and-https-requirements.html */
export const CLOUDFRONT_CERTIFICATE_ARN = textLike(
  /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
  'the ARN of a certificate in ACM in us-east-1, the only region from which CloudFront takes one',
);

/** Wherever the stack is: https://docs.aws.amazon.com/waf/latest/developerguide/how-aws-waf-works-resources.html */
export const CLOUDFRONT_WEB_ACL_ARN = textLike(
  /^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
  'the ARN of a web ACL for CloudFront, which is in us-east-1',
);

/** The region of an ARN is its fourth part. */
export function regionOf(arn: string): string | undefined {
  return arn.split(':')[3];
}

export type TagValues = Readonly<Record<string, string>>;

/** The tags that the stack sets itself: bills and searches rely on them. */
export const OWN_TAGS = { service: 'service', stage: 'stage' } as const;

/** AWS allows 50 per resource. The rest is for the stack's own tags and CDK's. */
const MAX_TAGS = 40;

// The characters that every service takes: https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html
const KEY = /^(?!aws:)[\p{L}\p{N}\p{Zs}_.:/=+\-@]{1,128}$/iu;
const VALUE = /^[\p{L}\p{N}\p{Zs}_.:/=+\-@]{0,256}$/u;

/** `team=growth,cost-centre=42`, or a JSON object, as text or in cdk.json. */
export const TAGS: ContextKind<TagValues> = {
  allowed: `key=value,key=value or a JSON object of texts, at most ${MAX_TAGS}, in characters that AWS allows, without ${Object.values(OWN_TAGS).join(' and ')}`,
  read(given) {
    const entries = typeof given === 'string' ? entriesOfText(given) : entriesOfObject(given);
    if (entries === undefined || entries.length > MAX_TAGS) return undefined;
    const tags = Object.fromEntries(entries);
    return Object.keys(tags).length === entries.length && entries.every(isTag) ? tags : undefined;
  },
};

type Entry = [key: string, value: string];

function isTag([key, value]: Entry): boolean {
  return !Object.hasOwn(OWN_TAGS, key) && KEY.test(key) && VALUE.test(value);
}

function entriesOfText(text: string): Entry[] | undefined {
  if (text.trimStart().startsWith('{')) return entriesOfObject(parsed(text));
  const entries = text.split(',').map((pair) => {
    const equals = pair.indexOf('=');
    return equals < 0 ? undefined : ([pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as Entry);
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function entriesOfObject(given: unknown): Entry[] | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const entries = Object.entries(given);
  return entries.every((entry): entry is Entry => typeof entry[1] === 'string') ? entries : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Plain context keys of CDK's command line: `cdk acknowledge`, `cdk cli-telemetry`. */
const OTHER_CDK_KEYS = new Set(['acknowledged-issue-numbers', 'cli-telemetry', 'assets-ecr-repository-name']);

/**
 * Whether a key of context belongs to CDK: feature flags (`@aws-cdk/…`), what its command line passes on
 * (`aws:cdk:…`), and what it has looked up (`availability-zones:account=…`). A key of this app has no colon.
 */
export function isCdkKey(key: string): boolean {
  return key.includes(':') || key.startsWith('@') || key.startsWith('cdk-') || OTHER_CDK_KEYS.has(key);
}

/** The keys that ~/.cdk.json gives to every CDK app. Those that are unknown here are for other apps. */
export function keysForAllApps(userDefaults = join(homedir(), '.cdk.json')): ReadonlySet<string> {
  try {
    const { context } = JSON.parse(readFileSync(userDefaults, 'utf8'));
    return new Set(Object.keys(context ?? {}));
  } catch {
    // Most people have none, and CDK's command line has already complained about an unreadable one.
    return new Set();
  }
}

/** The word that was probably meant, if one is close enough for a typo. */
export function nearestSpelling(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const [nearest] = words
    .map((word) => ({ word, edits: editsBetween(wanted, word.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  return nearest !== undefined && nearest.edits <= Math.max(1, Math.floor(typed.length / 3))
    ? nearest.word
    : undefined;
}

/** Levenshtein distance, one row of the table at a time. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const changed = (row[column - 1] as number) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
