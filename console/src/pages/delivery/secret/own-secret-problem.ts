/** As the settings API judges it, so that it is said before the secret is sent anywhere. */
export function ownSecretProblem(secret: string): string | undefined {
  const { length } = [...secret];
  if (secret.trim() !== secret) return 'There is white space around it. Take it away.';
  if (length < 16) return 'Use at least 16 characters.';
  if (length > 200) return 'Use at most 200 characters.';
  return undefined;
}
