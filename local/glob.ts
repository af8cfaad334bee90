/** `*` matches any characters, also slashes, and `?` matches one: as in CloudFront, IAM and `aws s3 sync`. */
export function globPattern(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}

/** Compares each of the six parts separately: a wildcard does not match across colons. */
export function matchesArn(pattern: string, arn: string): boolean {
  const [patterns, parts] = [arnParts(pattern), arnParts(arn)];
  return patterns.every((part, index) => globPattern(part).test(parts[index] ?? ''));
}

function arnParts(arn: string): string[] {
  const [prefix, partition, service, region, account, ...rest] = arn.split(':');
  if (prefix !== 'arn' || rest.length === 0) throw new Error(`not an ARN: ${arn}`);
  return [prefix, partition ?? '', service ?? '', region ?? '', account ?? '', rest.join(':')];
}
