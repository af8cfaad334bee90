/** Settings per stage, loaded at run time so one build serves all stages. */
export interface Config {
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly cognitoEndpoint: string;
  /** `srp` never sends the password; `password` is for a local user pool without SRP. */
  readonly signIn: 'srp' | 'password';
  readonly stage: string;
}

export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`config.json returned ${response.status}.`);
  return (await response.json()) as Config;
}
