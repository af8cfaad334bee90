import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** As Standard Webhooks defines secrets: unlike the secrets of forms, the key is the decoded base64. */
export function makeSigningSecret(random: Uint8Array): string {
  return PREFIX + Buffer.from(random).toString('base64');
}

export const SIGNING_SECRET_BYTES = 32;

export interface SignedContent {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** The headers of https://www.standardwebhooks.com. While a secret is being rotated there are two signatures. */
export function webhookHeaders({ id, timestampSeconds, body }: SignedContent, secrets: readonly string[]) {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
