import { randomBytes } from 'node:crypto';
import { parseKeys, rotateKeys } from '../browser-keys.ts';
import { type RotatedSecret, rotatedSecret } from '../browser-keys-store.ts';

/** As Secrets Manager calls a rotation function: four times, and again after a failure. */
export interface RotationEvent {
  readonly SecretId: string;
  /** Becomes the id of the new version. */
  readonly ClientRequestToken: string;
  readonly Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
}

export interface RotateBrowserKeysDependencies {
  readonly secretOf: (secretId: string) => RotatedSecret;
  readonly newKey: () => string;
}

const KEY_BYTES = 32;

/** Replaces the keys that sign browsers' tokens. Every step can be repeated. */
export function makeRotateBrowserKeys({ secretOf, newKey }: RotateBrowserKeysDependencies) {
  return async function rotateBrowserKeys(event: RotationEvent): Promise<void> {
    const { SecretId, ClientRequestToken: versionId, Step } = event;
    const secret = secretOf(SecretId);
    if (Step === 'createSecret') {
      if ((await secret.pending(versionId)) !== undefined) return;
      await secret.putPending(versionId, rotateKeys(await secret.current(), newKey()));
    }
    if (Step === 'testSecret') parseKeys((await secret.pending(versionId)) ?? '');
    if (Step === 'finishSecret') await secret.makeCurrent(versionId);
    // setSecret has nothing to do: the functions read the secret themselves.
  };
}

export function rotateBrowserKeysDependencies(): RotateBrowserKeysDependencies {
  return {
    secretOf: (secretId) => rotatedSecret(secretId),
    newKey: () => randomBytes(KEY_BYTES).toString('base64url'),
  };
}
