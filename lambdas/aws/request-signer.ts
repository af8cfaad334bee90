import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

type SignerOption = NonNullable<DynamoDBClientConfig['signer']>;
export type RequestSigner = Exclude<SignerOption, (...args: never[]) => unknown>;
type SigningConfig = Pick<DynamoDBClient['config'], 'credentials' | 'region'>;

/** Those that SigV4 asks for, in its order. DynamoDB's requests all have the same; the others need not be signed. */
const SIGNED_HEADERS = ['content-type', 'host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];

interface SigningKey {
  readonly secret: string;
  readonly scope: string;
  readonly key: KeyObject;
}

/**
 * Signs as the SDK's own signer does, with a third of its processor time. That one is made again for each request, from
 * a copy of the whole configuration; it computes a hash to find the signing key of the day in its cache, and hands
 * that key over as bytes, from which Node then makes a key object each time.
 */
export function makeRequestSigner(configOf: () => SigningConfig): RequestSigner {
  let cached: SigningKey | undefined;

  /** Found by what it is made of: a provider of credentials may return another object each time. */
  function signingKey(secret: string, scope: string): KeyObject {
    if (cached?.secret !== secret || cached.scope !== scope) {
      const bytes = scope
        .split('/')
        .reduce<Buffer>(
          (key, part) => createHmac('sha256', key).update(part).digest(),
          Buffer.from(`AWS4${secret}`),
        );
      cached = { secret, scope, key: createSecretKey(bytes) };
    }
    return cached.key;
  }

  return {
    async sign(request, options) {
      const config = configOf();
      const credentials = await config.credentials();
      const region = options?.signingRegion ?? (await config.region());
      const time = new Date(options?.signingDate ?? Date.now()).toISOString().replace(/[:-]|\.\d+/g, '');
      const scope = `${time.slice(0, 8)}/${region}/${options?.signingService ?? 'dynamodb'}/aws4_request`;

      const headers: Record<string, string> = { ...request.headers, 'x-amz-date': time };
      if (credentials.sessionToken) headers['x-amz-security-token'] = credentials.sessionToken;
      const names = SIGNED_HEADERS.filter((name) => headers[name] !== undefined);
      const lines = names.map((name) => `${name}:${headers[name]}\n`);
      const signedNames = names.join(';');
      const canonical = `${request.method}\n${request.path}\n\n${lines.join('')}\n${signedNames}\n${hash('sha256', request.body)}`;

      const signature = createHmac('sha256', signingKey(credentials.secretAccessKey, scope))
        .update(`AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', canonical)}`)
        .digest('hex');
      headers.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`;
      request.headers = headers;
      return request;
    },
  };
}
