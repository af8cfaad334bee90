import { hash } from 'node:crypto';
import type { Algorithm } from './read-signature.ts';

/**
 * HMAC as RFC 2104 defines it, on top of the hash. Node's own takes 15 µs to set up, several times the hashing of a
 * small body, and here there are thousands. Only for explaining: what decides is Node's.
 */
export function hmac(algorithm: Algorithm, key: Buffer, message: readonly Buffer[]): Buffer {
  const blockBytes = algorithm === 'sha384' || algorithm === 'sha512' ? 128 : 64;
  const short = key.length > blockBytes ? hash(algorithm, key, 'buffer') : key;
  const inner = hashOf(algorithm, [padded(short, blockBytes, 0x36), ...message]);
  return hashOf(algorithm, [padded(short, blockBytes, 0x5c), inner]);
}

/** In one call: a hash that is fed in pieces costs more to make and to clean up than a small body to copy. */
export function hashOf(algorithm: Algorithm, parts: readonly Buffer[]): Buffer {
  return hash(algorithm, Buffer.concat(parts), 'buffer');
}

function padded(key: Buffer, blockBytes: number, pad: number): Buffer {
  const block = Buffer.alloc(blockBytes, pad);
  for (let at = 0; at < key.length; at += 1) block[at] = pad ^ (key[at] as number);
  return block;
}
