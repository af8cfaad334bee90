import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedMap } from '../aws/bounded-map.ts';
import type { StoreContext } from '../aws/dynamodb.ts';
import type { Credential } from './configuration.ts';

/** Often enough to tell whether an old token is still in use. */
const AT_MOST_EVERY_MS = 60_000;

export interface LastUse {
  /** Notes that a token or secret was used; never throws, and mostly does nothing. */
  note(credential: Credential, nowMilliseconds: number): Promise<void>;
}

interface LastUseContext extends StoreContext<'diagnostics'> {
  readonly recordingMilliseconds: number;
}

/** One small item per token and secret, written at the same time as the lead. */
export function makeLastUse({ client, tables, recordingMilliseconds }: LastUseContext): LastUse {
  const notedAt = new BoundedMap<number>(10_000);
  return {
    async note({ workspaceId, provedBy, form, proof }, nowMilliseconds) {
      const last = notedAt.get(provedBy);
      if (last !== undefined && nowMilliseconds - last < AT_MOST_EVERY_MS) return;
      notedAt.set(provedBy, nowMilliseconds);
      const lastUsedAt = new Date(nowMilliseconds).toISOString();
      await client
        .send(
          new PutCommand({
            TableName: tables.diagnostics,
            Item: { workspaceId, sk: `use#${provedBy}`, lastUsedAt, formId: form.formId, ...proof, v: 1 },
          }),
          { abortSignal: AbortSignal.timeout(recordingMilliseconds) },
        )
        .catch(() => notedAt.delete(provedBy));
    },
  };
}
