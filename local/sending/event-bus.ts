import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import type { Closers } from '../lifecycle.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../local-account.ts';
import { ServiceFault, startJsonService } from './json-service.ts';

interface Entry {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  /** In seconds since 1970. */
  readonly Time?: number;
  readonly Resources?: readonly string[];
}

/** An EventBridge without rules: each event becomes a line of the file, as the target of a rule would get it. */
export async function startEventBus(file: string, closers: Closers): Promise<{ readonly endpoint: string }> {
  // It exists from the start, so that `tail -f` can follow it.
  await appendFile(file, '', { mode: 0o600 });
  const endpoint = await startJsonService(async ({ headers }, body) => {
    if (headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
      throw new ServiceFault('UnknownOperationException', 'Only PutEvents is supported');
    }
    const events = (body as { Entries: readonly Entry[] }).Entries.map(toEvent);
    await appendFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    return { FailedEntryCount: 0, Entries: events.map(({ id }) => ({ EventId: id })) };
  }, closers);
  return { endpoint };
}

function toEvent({ Source, DetailType, Detail = '{}', Time, Resources = [] }: Entry) {
  const time = new Date(Time === undefined ? Date.now() : Time * 1000).toISOString();
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: LOCAL_ACCOUNT,
    time: time.replace(/\.\d+Z$/, 'Z'),
    region: LOCAL_REGION,
    resources: Resources,
    detail: JSON.parse(Detail) as unknown,
  };
}
