import { randomBytes, randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { makeLeadId } from '#model/lead-item.ts';
import type { Surface } from '#model/limits.ts';
import { slugConfigurations, tokenConfigurations } from '#submission/configuration-store.ts';
import { makeIngestStores } from '#submission/ingest-dependencies.ts';
import { makeIngestServer } from '#submission/ingest-server/handler.ts';
import { makeIngestWebhook } from '#submission/ingest-webhook/handler.ts';
import { makeTelemetry } from '#submission/respond-and-report.ts';
import { type Finding, judged } from '../findings.ts';
import { type GatewayEvent, serverRequest, webhookRequest } from '../timing/pairs.ts';
import { NOW, RECORDS, SECRET, SLUGS, TABLE_NAMES, TOKENS } from '../timing/records.ts';
import { quantile } from '../timing/statistics.ts';

export type Item = Readonly<Record<string, unknown>>;

/** The items of a table, and the keys that will be requested but don't exist, in the table's attribute order. */
export interface FixedTable {
  readonly key: readonly [string] | readonly [string, string];
  readonly items: readonly Item[];
  readonly absent: readonly (readonly string[])[];
}

/** Prepared responses by the first attribute of the key, then by the second. */
type Answers = Map<unknown, { readonly all: Item[]; readonly each: Map<unknown, Item[]> }>;

/**
 * A document client whose every call takes the same time: one turn of the event loop. Existing and missing items are
 * both looked up under prepared keys, because a miss would be faster than a hit. Writes succeed. So only the function's
 * own work is timed.
 */
function fixedStore(tables: Readonly<Record<string, FixedTable>>): DynamoDBDocumentClient {
  const responses = new Map(Object.entries(tables).map(([name, table]) => [name, responsesOf(table)]));

  function under(table: string | undefined, value: unknown) {
    const found = responses.get(table ?? '')?.get(value);
    if (!found) throw new Error(`${table} has no prepared answer for this key`);
    return found;
  }

  function at(table: string | undefined, key: Item = {}): Item[] {
    const [first, second] = Object.values(key);
    return under(table, first).each.get(second) ?? [];
  }

  function response(command: unknown): unknown {
    if (command instanceof GetCommand) return { Item: at(command.input.TableName, command.input.Key)[0] };
    if (command instanceof QueryCommand) {
      const [value] = Object.values(command.input.ExpressionAttributeValues ?? {});
      return { Items: under(command.input.TableName, value).all };
    }
    if (command instanceof BatchGetCommand) {
      // One key per table: the functions read no more during authentication.
      const asked = Object.entries(command.input.RequestItems ?? {});
      return {
        Responses: Object.fromEntries(asked.map(([table, { Keys }]) => [table, at(table, Keys?.[0])])),
      };
    }
    return command instanceof UpdateCommand ? { Attributes: {} } : {};
  }

  return {
    async send(command: unknown) {
      const found = response(command);
      await new Promise(setImmediate);
      return found;
    },
  } as unknown as DynamoDBDocumentClient;
}

function responsesOf({ key, items, absent }: FixedTable): Answers {
  const responses: Answers = new Map();
  const add = (values: readonly unknown[], found: Item[]) => {
    const [first, second] = values;
    const response = responses.get(first) ?? { all: [] as Item[], each: new Map<unknown, Item[]>() };
    responses.set(first, response);
    response.all.push(...found);
    response.each.set(second, found);
  };
  for (const values of absent) add(values, []);
  for (const item of items) {
    add(
      key.map((name) => item[name]),
      [item],
    );
  }
  return responses;
}

export type Invoke = (event: GatewayEvent) => Promise<{ statusCode: number }>;

/** The real functions, with a fixed clock and fixed tables, and without the wait for a tick. */
function openFunctions(): Record<Surface, Invoke> {
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
      // The pipeline's first step replaces the event with a submission.
      handler(event as unknown as Parameters<typeof handler>[0], {} as Context);
  return { '1a': boundaryOf(server), '1b': boundaryOf(webhook) };
}

const BLOCKS = 40;
const IN_A_BLOCK = 50;
const WARM_UP_BLOCKS = 4;
/** Noise of the machine included: a flood that emptied a function's memory would make it two and a half times. */
const MAX_RATIO = 1.25;

const HONEST: Record<Surface, GatewayEvent> = {
  '1a': serverRequest(TOKENS.good),
  '1b': webhookRequest(SLUGS.good, { signedWith: SECRET }),
};

const FLOOD: Record<Surface, readonly GatewayEvent[]> = {
  '1a': [TOKENS.unknown, TOKENS.revoked, TOKENS['suspended workspace']].map((token) => serverRequest(token)),
  '1b': [SLUGS.unknown, SLUGS.good, SLUGS['inactive form']].map((slug) => webhookRequest(slug)),
};

/**
 * A submission takes no longer in an environment that has just rejected a flood. Over HTTP, all senders share the cores
 * of one machine, so a flood slows everybody; on Lambda, environments have their own. So this measures only what they
 * share there: the memory of a function, over a store of fixed speed.
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
        if (statusCode !== 200) throw new Error('the flood was not rejected');
        rejected += 1;
      }
      milliseconds += performance.now() - startedAt;
    }

    // Alternating, so that other load on the machine affects both.
    for (let block = -WARM_UP_BLOCKS; block < BLOCKS; block += 1) {
      for (const state of ['alone', 'flooded'] as const) {
        for (let index = 0; index < IN_A_BLOCK; index += 1) {
          if (state === 'flooded') await flood();
          const startedAt = performance.now();
          const { statusCode } = await invoke(HONEST[surface]);
          if (statusCode !== 202) throw new Error('an honest sender was not accepted');
          if (block >= 0) took[state].push(performance.now() - startedAt);
        }
      }
    }

    const [alone, flooded] = [took.alone, took.flooded].map((each) => quantile(Float64Array.from(each), 0.5));
    const ratio = (flooded as number) / (alone as number);
    findings.push(
      judged(
        `another sender on ${surface} is not much slower in a flooded environment`,
        ratio < MAX_RATIO,
        `${ratio.toFixed(2)} times the median; ${rejected.toLocaleString('en')} rejected in ${(milliseconds / 1000).toFixed(1)} s`,
      ),
    );
  }
  return findings;
}
