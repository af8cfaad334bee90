import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/**
 * Stands in for @smithy/core/checksum when a function is bundled. That part brings hashes written in JavaScript along,
 * for builds of Node without its own; Lambda's has one.
 */
function nativeChecksum(algorithm: 'sha256' | 'md5', digestLength: number) {
  return class {
    readonly digestLength = digestLength;
    readonly #secret: string | Uint8Array | undefined;
    #hash: Hash | Hmac;

    constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
      this.#secret = secret === undefined ? undefined : bytesOf(secret);
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

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

export const Sha256 = nativeChecksum('sha256', 32);
export const Md5 = nativeChecksum('md5', 16);
