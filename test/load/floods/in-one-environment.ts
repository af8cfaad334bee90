import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { slugConfigurations, tokenConfigurations } from '#submission/configuration-store.ts';
import { makeLeadId } from '#submission/ids.ts';
import { makeIngestStores } from '#submission/ingest-dependencies.ts';
import { makeIngestServer } from '#submission/ingest-server/handler.ts';
import { makeIngestWebhook } from '#submission/ingest-webhook/handler.ts';
import type { Surface } from '#submission/limits.ts';
import { makeTelemetry } from '#submission/report-outcome.ts';
import { type Finding, judged } from '../findings.ts';
import { NOW, RECORDS, SECRET, SLUGS, TABLE_NAMES, TOKENS } from '../timing/records.ts';
import { type GatewayEvent, serverRequest, webhookRequest } from '../timing/requests.ts';
import { quantile } from '../timing/statistics.ts';
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

const BLOCKS = 40;
const IN_A_BLOCK = 50;
const WARM_UP_BLOCKS = 4;
/** Noise of the machine included: a flood that emptied a function's memory would make it two and a half times. */
const HARDLY_SLOWER = 1.25;

const HONEST: Record<Surface, GatewayEvent> = {
  '1a': serverRequest(TOKENS.good),
  '1b': webhookRequest(SLUGS.good, { signedWith: SECRET }),
};

const FLOOD: Record<Surface, readonly GatewayEvent[]> = {
  '1a': [TOKENS.unknown, TOKENS.revoked, TOKENS['suspended workspace']].map((token) => serverRequest(token)),
  '1b': [SLUGS.unknown, SLUGS.good, SLUGS['inactive form']].map((slug) => webhookRequest(slug)),
};

/**
 * A submission takes as long in an environment that has just rejected a flood as in one that was left alone. Over HTTP
 * all senders share the few cores of one machine, and a flood that fills those slows everybody; on Lambda, environments
 * have their own. What they share there is what is measured here: the memory of a function, over a store of fixed speed.
 */
export async function floodOneEnvironment(requests: number): Promise<Finding[]> {
  const functions = openFunctions();
  const perSubmission = Math.ceil(requests / (2 * BLOCKS * IN_A_BLOCK));
  const findings: Finding[] = [];
  for (const surface of ['1a', '1b'] as const) {
    const invoke = functions[surface];
    const took: Record<'alone' | 'flooded', number[]> = { alone: [], flooded: [] };
    let [rejected, milliseconds] = [0, 0];

    async function flood(): Promise<void> {
      const startedAt = performance.now();
      for (let sent = 0; sent < perSubmission; sent += 1) {
        const { statusCode } = await invoke(FLOOD[surface][rejected % 3] as GatewayEvent);
        if (statusCode !== 200) throw new Error('the flood must be rejected');
        rejected += 1;
      }
      milliseconds += performance.now() - startedAt;
    }

    // In turns, so that whatever else happens on the machine happens to both.
    for (let block = -WARM_UP_BLOCKS; block < BLOCKS; block += 1) {
      for (const state of ['alone', 'flooded'] as const) {
        for (let index = 0; index < IN_A_BLOCK; index += 1) {
          if (state === 'flooded') await flood();
          const startedAt = performance.now();
          const { statusCode } = await invoke(HONEST[surface]);
          if (statusCode !== 202) throw new Error('an honest sender must be accepted');
          if (block >= 0) took[state].push(performance.now() - startedAt);
        }
      }
    }

    const [alone, flooded] = [took.alone, took.flooded].map((each) => quantile(Float64Array.from(each), 0.5));
    const ratio = (flooded as number) / (alone as number);
    findings.push(
      judged(
        `another sender on ${surface} is hardly slower in a flooded environment`,
        ratio < HARDLY_SLOWER,
        `${ratio.toFixed(2)} times as long, at the median; ${rejected.toLocaleString('en')} rejected in ${(milliseconds / 1000).toFixed(1)} s`,
      ),
    );
  }
  return findings;
}
