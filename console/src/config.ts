/** What differs between stages: read when the page loads, so that one build serves them all. */
export interface Config {
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly cognitoEndpoint: string;
  /** With `srp` no password travels; `password` is for a user pool on one's own machine that knows no SRP. */
  readonly signIn: 'srp' | 'password';
  readonly stage: string;
}

export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`config.json returned ${response.status}.`);
  return response.json();
}
