import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { slugConfigurations, tokenConfigurations } from '#submission/configuration-store.ts';
import { makeLeadId } from '#submission/ids.ts';
import { makeIngestStores } from '#submission/ingest-dependencies.ts';
import { makeIngestServer } from '#submission/ingest-server/handler.ts';
import { makeIngestWebhook } from '#submission/ingest-webhook/handler.ts';
import type { Surface } from '#submission/limits.ts';
import { makeTelemetry } from '#submission/report-outcome.ts';
import { NOW, RECORDS, TABLE_NAMES } from '../timing/records.ts';
import type { GatewayEvent } from '../timing/requests.ts';
import { fixedStore } from './fixed-store.ts';

export type Invoke = (event: GatewayEvent) => Promise<{ statusCode: number }>;

/** The real functions, made by their makers as for Lambda, except that clock and tables stand still and nobody waits. */
export function openFunctions(): Record<Surface, Invoke> {
  const client = fixedStore(RECORDS);
  const tables = TABLE_NAMES;
  const now = () => NOW;
  const dependencies = {
    ...makeIngestStores({
      client,
      recordingClient: client,
      tables,
      random: Math.random,
      recordingMilliseconds: 300,
    }),
    deadlineMilliseconds: 4_000,
    tickClock: { now, sleepUntil: async () => undefined },
    // A line is made for each; where it goes is no part of the function.
    telemetry: makeTelemetry(now, () => undefined),
    now,
    newId: randomUUID,
    newLeadId: (at: number) => makeLeadId(at, randomBytes(10)),
  };
  const server = makeIngestServer({ ...dependencies, tokens: tokenConfigurations({ client, tables }) });
  const webhook = makeIngestWebhook({ ...dependencies, slugs: slugConfigurations({ client, tables }) });
  const boundaryOf =
    (handler: typeof server): Invoke =>
    (event) =>
      // The pipeline's first step puts a submission in the event's place.
      handler(event as unknown as Parameters<typeof handler>[0], {} as Context);
  return { '1a': boundaryOf(server), '1b': boundaryOf(webhook) };
}
