import { SQSClient } from '@aws-sdk/client-sqs';
import type { Closers } from '../closers.ts';
import type { Print } from '../function-log.ts';
import type { FunctionPools } from '../function-pools.ts';
import type { Endpoints } from '../functions.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../local-account.ts';
import type { EventSource } from './event-source.ts';
import type { Mapping } from './mapping.ts';
import { type Pace, pause } from './pace.ts';
import { startQueueSource } from './queue-source.ts';
import { startStreamSource } from './stream-source.ts';
import { makeStreamsApi } from './streams-api.ts';

export interface EventSourcesSettings {
  readonly mappings: readonly Mapping[];
  readonly pools: FunctionPools;
  readonly endpoints: Endpoints;
  readonly pace: Pace;
  readonly print: Print;
}

/** Invocations under way at the end get so long. What is cut off comes again at the next start. */
const GRACE_MILLISECONDS = 2_000;

/** Lets the functions follow the streams and queues that the template maps to them. */
export async function startEventSources(settings: EventSourcesSettings, closers: Closers): Promise<void> {
  const { mappings, pools, endpoints, pace, print } = settings;
  const streams = makeStreamsApi(endpoints.dynamoDb);
  const sqs = new SQSClient({
    ...{ endpoint: endpoints.sqs, region: LOCAL_REGION, credentials: LOCAL_CREDENTIALS },
  });
  closers.defer(() => {
    streams.destroy();
    sqs.destroy();
  });
  // Before the sources, so that they end after them.
  for (const { functionArn } of mappings) pools.open(functionArn);
  const sources: EventSource[] = [];
  closers.defer(() => stopAll(sources));
  for (const mapping of mappings) {
    const invoke = (event: string) => pools.invoke(mapping.functionArn, event);
    sources.push(
      mapping.kind === 'stream'
        ? await startStreamSource(mapping, { streams, invoke, pace, print })
        : startQueueSource(mapping, { client: sqs, invoke, print }),
    );
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
