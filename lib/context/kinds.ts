/** An invalid context value. The message is shown to the person who typed it. */
export class ContextError extends Error {
  override readonly name = 'ContextError';
}

/** The values that a context key takes, and how they are read. */
export interface ContextKind<Value> {
  /** As shown in error messages and docs/deploy.md. */
  readonly allowed: string;
  /** The parsed value; undefined if it is not allowed. */
  readonly read: (given: unknown) => Value | undefined;
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

export const API_REQUESTS_PER_SECOND = wholeNumber(100, 1_000_000);

/** What AWS gives an account in most regions. */
export const DEFAULT_API_REQUESTS_PER_SECOND = 10_000;

function textLike(pattern: RegExp, allowed: string): ContextKind<string> {
  return { allowed, read: (given) => (typeof given === 'string' && pattern.test(given) ? given : undefined) };
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

/** In lower case, because API Gateway takes nothing else. */
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

/** Of an ARN, which is the fourth of its parts. */
export function regionOf(arn: string): string | undefined {
  return arn.split(':')[3];
}
