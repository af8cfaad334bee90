import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedMap } from '../aws/bounded-map.ts';
import type { StoreContext } from '../aws/dynamodb.ts';
import type { Credential } from '../model/configuration.ts';

/** Often enough to tell whether an old token is still in use. */
const AT_MOST_EVERY_MS = 60_000;

/** Skews of the same size share an attribute. Half of it is more than a right clock is ever off. */
const SKEW_SECONDS = 20;

export interface LastUse {
  /** Notes that a token or secret was used; never throws, and mostly does nothing. */
  note(credential: Credential, nowMilliseconds: number): Promise<void>;
}

interface LastUseContext extends StoreContext<'diagnostics'> {
  readonly recordingMilliseconds: number;
}

/**
 * One small item per token and secret, written at the same time as the lead. Several senders may share a secret, and
 * only one of their clocks may be wrong: a skew is kept, with its time, until another one of about the same size comes.
 */
export function makeLastUse({ client, tables, recordingMilliseconds }: LastUseContext): LastUse {
  const notedAt = new BoundedMap<number>(10_000);
  /** The largest since the last note. */
  const skews = new BoundedMap<number>(10_000);
  return {
    async note({ workspaceId, provedBy, form, proof }, nowMilliseconds) {
      const [last, skew] = [notedAt.get(provedBy), larger(skews.get(provedBy), proof?.skewSeconds)];
      if (last !== undefined && nowMilliseconds - last < AT_MOST_EVERY_MS) {
        if (skew !== undefined) skews.set(provedBy, skew);
        return;
      }
      notedAt.set(provedBy, nowMilliseconds);
      skews.delete(provedBy);
      const size = Math.trunc((skew ?? 0) / SKEW_SECONDS);
      const noted = Object.entries({
        lastUsedAt: new Date(nowMilliseconds).toISOString(),
        formId: form.formId,
        ...proof,
        ...(size !== 0 && { [`skew${size}`]: [nowMilliseconds, skew] }),
        v: 1,
      });
      await client
        .send(
          new UpdateCommand({
            TableName: tables.diagnostics,
            Key: { workspaceId, sk: `use#${provedBy}` },
            UpdateExpression: `SET ${noted.map((_, index) => `#n${index} = :n${index}`).join(', ')}`,
            ExpressionAttributeNames: Object.fromEntries(noted.map(([name], index) => [`#n${index}`, name])),
            ExpressionAttributeValues: Object.fromEntries(
              noted.map(([, value], index) => [`:n${index}`, value]),
            ),
          }),
          { abortSignal: AbortSignal.timeout(recordingMilliseconds) },
        )
        .catch(() => notedAt.delete(provedBy));
    },
  };
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || Math.abs(b ?? 0) >= Math.abs(a) ? b : a;
}

const HOUR_MS = 60 * 60_000;

/** The largest skew of the last hour in which there was a use, from such an item. */
export function largestSkew(item: Readonly<Record<string, unknown>>): number | undefined {
  const since = Date.parse(String(item.lastUsedAt)) - HOUR_MS;
  return Object.entries(item)
    .flatMap(([name, value]) =>
      /^skew-?\d/.test(name) ? [value as readonly [at: number, seconds: number]] : [],
    )
    .filter(([at]) => at > since)
    .map(([, seconds]) => seconds)
    .reduce(larger, typeof item.skewSeconds === 'number' ? item.skewSeconds : undefined);
}
