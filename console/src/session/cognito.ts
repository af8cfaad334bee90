/** Settings per stage, loaded at run time so one build serves all stages. */
export interface Config {
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly cognitoEndpoint: string;
  /** `srp` never sends the password; `password` is for a local user pool without SRP. */
  readonly signIn: 'srp' | 'password';
  readonly stage: string;
  readonly version: string;
}

export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`config.json returned ${response.status}.`);
  return (await response.json()) as Config;
}

/** An error of Cognito, by its name, such as `NotAuthorizedException`. `NetworkError` if there is no response. */
export class CognitoError extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** Calls an operation of Cognito. Those that browsers may call are unsigned. */
export type CallCognito = (operation: string, parameters: Fields) => Promise<Fields>;

export function makeCallCognito({ cognitoEndpoint }: Pick<Config, 'cognitoEndpoint'>): CallCognito {
  return async (operation, parameters) => {
    let response: Response;
    try {
      response = await fetch(cognitoEndpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify(parameters),
        cache: 'no-store',
      });
    } catch {
      throw new CognitoError('NetworkError');
    }
    const reply = (await response.json().catch(() => ({}))) as Fields;
    if (response.ok) return reply;
    throw new CognitoError(String(reply.__type).replace(/^.*#/, ''));
  };
}
