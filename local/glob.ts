/** `*` takes any characters, slashes too, and `?` takes one: to CloudFront's path patterns and to `aws s3 sync` alike. */
export function globPattern(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}

/** Each of the six parts by itself: a wildcard does not reach across the colons between them. */
export function matchesArn(pattern: string, arn: string): boolean {
  const [patterns, parts] = [arnParts(pattern), arnParts(arn)];
  return patterns.every((part, index) => globPattern(part).test(parts[index] ?? ''));
}

function arnParts(arn: string): string[] {
  const [prefix, partition, service, region, account, ...rest] = arn.split(':');
  if (prefix !== 'arn' || rest.length === 0) throw new Error(`not an ARN: ${arn}`);
  return [prefix, partition ?? '', service ?? '', region ?? '', account ?? '', rest.join(':')];
}
