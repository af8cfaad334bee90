import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import type { TableNames } from '#aws/tables.ts';
import { makeAdministration, makeOwnerAdministration } from '#settings/administration/administration.ts';
import { slugConfigurations, tokenConfigurations } from '#submission/configuration-store.ts';
import { makeLeadId } from '#submission/ids.ts';
import { makeIngestStores } from '#submission/ingest-dependencies.ts';
import { makeIngestServer } from '#submission/ingest-server/handler.ts';
import { makeIngestWebhook } from '#submission/ingest-webhook/handler.ts';
import type { Surface } from '#submission/limits.ts';
import type { Telemetry } from '#submission/report-outcome.ts';
import type { Answer } from '#submission/submission.ts';
import { TABLE_DEFINITIONS } from '../double/table.ts';
import type { SeededRandom } from '../machine/scheduler.ts';
import type { Clients } from './client-slots.ts';
import { PATIENCE } from './sender.ts';

export const TABLES = Object.fromEntries(
  Object.keys(TABLE_DEFINITIONS).map((noun) => [noun, noun]),
) as unknown as TableNames;

export interface Surroundings {
  readonly clients: Clients;
  readonly now: () => number;
  readonly random: SeededRandom;
}

export type Ingest = (event: unknown) => Promise<Answer>;

/** The real handler of a surface with the real stores, as runtime-dependencies.ts puts them together. */
export function makeIngest(
  surface: Surface,
  { clients, now, random }: Surroundings,
  telemetry: Telemetry,
): Ingest {
  const { client, recordingClient } = clients;
  const dependencies = {
    ...makeIngestStores({
      client,
      recordingClient,
      tables: TABLES,
      random: () => random.next(),
      recordingMilliseconds: PATIENCE.recordingMilliseconds,
    }),
    deadlineMilliseconds: PATIENCE.deadlineMilliseconds,
    tickClock: { now, sleepUntil: (moment: number) => sleep(moment - now()) },
    telemetry,
    now,
    newId: () => Buffer.from(random.bytes(16)).toString('hex'),
    newLeadId: (at: number) => makeLeadId(at, random.bytes(10)),
  };
  const handler =
    surface === '1a'
      ? makeIngestServer({ ...dependencies, tokens: tokenConfigurations({ client, tables: TABLES }) })
      : makeIngestWebhook({ ...dependencies, slugs: slugConfigurations({ client, tables: TABLES }) });
  // The pipeline's first step puts a submission in the event's place.
  return (event) => handler(event as Parameters<typeof handler>[0], {} as Context);
}

/** What the settings function and the operator's command line change configuration with. */
export function makeOwnersHand({ clients, now, random }: Surroundings, workspaceId: string) {
  const context = {
    client: clients.client,
    tables: TABLES,
    now,
    randomBytes: (count: number) => random.bytes(count),
  };
  return { ...makeAdministration(context), ...makeOwnerAdministration(context)(workspaceId) };
}

export type OwnersHand = ReturnType<typeof makeOwnersHand>;
