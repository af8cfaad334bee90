import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';

/**
 * Replaces the SDK's own chain of credential providers when a function is bundled. On Lambda the credentials are
 * always in the environment, which is where that chain looks first; the rest of it (profiles, SSO, web identity,
 * instance metadata, each with clients of its own) would be a third of the bundle and a fifth of its import time.
 */
export function defaultProvider() {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
      throw new Error('Missing environment variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY');
    }
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    };
  };
}

/**
 * Replaces @smithy/core/checksum when a function is bundled. That part brings hashes written in JavaScript along,
 * for builds of Node without its own; Lambda's has one.
 */
function nativeChecksum(algorithm: 'sha256' | 'md5', digestLength: number) {
  return class {
    readonly digestLength = digestLength;
    readonly #secret: string | KeyObject | undefined;
    #hash: Hash | Hmac;

    constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
      this.#secret = secret === undefined ? undefined : keyOf(secret);
      this.#hash = this.#begin();
    }

    update(data: string | Uint8Array): void {
      this.#hash.update(data);
    }

    async digest(): Promise<Uint8Array> {
      return new Uint8Array(this.#hash.digest());
    }

    reset(): void {
      this.#hash = this.#begin();
    }

    #begin(): Hash | Hmac {
      return this.#secret ? createHmac(algorithm, this.#secret) : createHash(algorithm);
    }
  };
}

/** Bytes become a key object first: Node 24 finds out that they are none with two exceptions, which take longer. */
function keyOf(data: string | ArrayBuffer | ArrayBufferView): string | KeyObject {
  if (typeof data === 'string') return data;
  return createSecretKey(
    ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data),
  );
}

export const Sha256 = nativeChecksum('sha256', 32);
export const Md5 = nativeChecksum('md5', 16);

/**
 * Replaces @aws-sdk/middleware-endpoint-discovery when a function is bundled. The DynamoDB client only prepares
 * for it: none of its commands looks an endpoint up, so nothing would ever use the cache and the settings left out here.
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

/**
 * Replaces @smithy/core/event-streams when a function is bundled. The SDK loads that part for operations that
 * stream events, such as audio to be transcribed; we call none.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('This bundle has no event streams');
  }
}

export const eventStreamSerdeProvider = () => undefined;

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

/**
 * Replaces @aws/lambda-invoke-store when a function is bundled. It keeps the trace of each request for environments that
 * run several at once; ours run one, whose trace is in the environment variable where the SDK also looks.
 */
export const InvokeStore = { getInstanceAsync: async () => undefined };

/**
 * Replaces @smithy/signature-v4 in functions that call only DynamoDB: that client has a signer of its own, so the SDK
 * never makes this one.
 */
export class SignatureV4 {
  constructor() {
    throw new Error('This bundle signs only requests to DynamoDB');
  }
}
