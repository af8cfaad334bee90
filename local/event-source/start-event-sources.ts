import { SQSClient } from '@aws-sdk/client-sqs';
import type { Print } from '../function-log.ts';
import type { FunctionPools } from '../function-pool.ts';
import type { Closers } from '../lifecycle.ts';
import { LOCAL_REGION } from '../local-account.ts';
import { type EventSource, type Pace, pause } from './event-source.ts';
import type { Access, Mapping } from './mapping.ts';
import { startQueueSource } from './queue-source.ts';
import { makeStreamsApi } from './shard-reader.ts';
import { startStreamSource } from './stream-source.ts';

export interface EventSourcesSettings {
  readonly mappings: readonly Mapping[];
  readonly pools: FunctionPools;
  readonly access: Access;
  readonly pace: Pace;
  readonly print: Print;
}

/** How long running invocations may take when the stack stops. Interrupted ones run again at the next start. */
const GRACE_MILLISECONDS = 2_000;

/** Starts the event source mappings of the template. */
export async function startEventSources(settings: EventSourcesSettings, closers: Closers): Promise<void> {
  const { mappings, pools, access, pace, print } = settings;
  const clients: { destroy(): void }[] = [];
  closers.defer(() => clients.forEach((client) => void client.destroy()));
  // Before the sources, so that they close after them.
  for (const { functionArn } of mappings) pools.open(functionArn, 'background');
  const sources: EventSource[] = [];
  closers.defer(() => stopAll(sources));
  for (const mapping of mappings) {
    access.checkMapping(mapping);
    // A mapping reads with the role of its function.
    const credentials = access.credentialsOf(mapping.functionArn);
    const invoke = (event: string) => pools.invoke(mapping.functionArn, event);
    if (mapping.kind === 'stream') {
      const streams = makeStreamsApi(access.dynamoDb, credentials.accessKeyId);
      clients.push(streams);
      sources.push(await startStreamSource(mapping, { streams, invoke, pace, print }));
    } else {
      const client = new SQSClient({ endpoint: access.sqs, region: LOCAL_REGION, credentials });
      clients.push(client);
      sources.push(startQueueSource(mapping, { client, invoke, print }));
    }
  }
}

async function stopAll(sources: readonly EventSource[]): Promise<void> {
  const stopped = new AbortController();
  await Promise.race([
    Promise.all(sources.map((source) => source.stop())),
    pause(GRACE_MILLISECONDS, stopped.signal),
  ]);
  stopped.abort();
}
