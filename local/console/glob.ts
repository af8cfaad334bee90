/** `*` takes any characters, slashes too, and `?` takes one: to CloudFront's path patterns and to `aws s3 sync` alike. */
export function globPattern(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}
