import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { parseKeys } from './browser-keys.ts';
import type { SigningKey } from './browser-token.ts';

/** Far shorter than a rotation: a key is known for that long before it signs. */
const KEEP_MS = 5 * 60_000;
const RETRY_MS = 10_000;

export interface BrowserKeysOptions {
  readonly now: () => number;
  readonly readSecret: () => Promise<string>;
}

/** Reads the keys, at most once in five minutes. While they cannot be read, those in memory stay in use. */
export function makeBrowserKeys({ now, readSecret }: BrowserKeysOptions) {
  let kept: { readonly keys: readonly SigningKey[]; readonly until: number } | undefined;
  let reading: Promise<readonly SigningKey[]> | undefined;

  async function readAndKeep(): Promise<readonly SigningKey[]> {
    try {
      const keys = parseKeys(await readSecret());
      kept = { keys, until: now() + KEEP_MS };
    } catch (error) {
      if (!kept) throw error;
      kept = { ...kept, until: now() + RETRY_MS };
    }
    return kept.keys;
  }

  return async function readKeys(): Promise<readonly SigningKey[]> {
    if (kept && now() < kept.until) return kept.keys;
    reading ??= readAndKeep().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** The versions of one secret, as Secrets Manager's rotation needs them. */
export interface RotatedSecret {
  current(): Promise<string>;
  /** Undefined if this rotation has not made its version yet. */
  pending(versionId: string): Promise<string | undefined>;
  putPending(versionId: string, text: string): Promise<void>;
  makeCurrent(versionId: string): Promise<void>;
}

const CURRENT = 'AWSCURRENT';
const PENDING = 'AWSPENDING';

export function rotatedSecret(secretId: string, options: SecretsManagerClientConfig = {}): RotatedSecret {
  const client = new SecretsManagerClient(options);
  const SecretId = secretId;

  async function textOf(version: { VersionId?: string; VersionStage: string }): Promise<string> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId, ...version }));
    return SecretString ?? '';
  }

  return {
    current: () => textOf({ VersionStage: CURRENT }),

    async pending(VersionId) {
      try {
        return await textOf({ VersionId, VersionStage: PENDING });
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      }
    },

    async putPending(ClientRequestToken, SecretString) {
      const VersionStages = [PENDING];
      await client.send(
        new PutSecretValueCommand({ SecretId, ClientRequestToken, SecretString, VersionStages }),
      );
    },

    async makeCurrent(versionId) {
      const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
      const before = Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(CURRENT));
      if (before === versionId) return;
      await client.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: CURRENT,
          MoveToVersionId: versionId,
          RemoveFromVersionId: before,
        }),
      );
    },
  };
}
