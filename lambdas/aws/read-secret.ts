import type { SecretsManagerClient, SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';

/** Reads one secret's text. The SDK is loaded at the first read: most deployments have no enrichment provider. */
export function makeSecretReader(secretArn: string, options: SecretsManagerClientConfig = {}) {
  let client: SecretsManagerClient | undefined;

  return async function readSecret(): Promise<string> {
    const sdk = await import('@aws-sdk/client-secrets-manager');
    client ??= new sdk.SecretsManagerClient({
      maxAttempts: 2,
      requestHandler: { connectionTimeout: 500, requestTimeout: 1_500, throwOnRequestTimeout: true },
      ...options,
    });
    const { SecretString } = await client.send(new sdk.GetSecretValueCommand({ SecretId: secretArn }));
    if (SecretString === undefined) throw new Error('The secret is binary; a text is expected');
    return SecretString;
  };
}
