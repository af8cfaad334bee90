import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { type MessageVisibility, makeMessageVisibility } from '../../aws/queues.ts';
import { makeSecretReader } from '../../aws/read-secret.ts';
import { makeTogether } from '../../aws/together.ts';
import {
  ENRICHMENT_VARIABLES,
  QUEUE_VARIABLES,
  requireVariable,
  tablesFromEnvironment,
} from '../../contract.ts';
import { type EnrichmentMessage, parseEnrichmentMessage } from '../enrichment-item.ts';
import { makeEnrichments } from '../enrichments-store.ts';
import { retryDelaySeconds } from '../external-failures.ts';
import { type MailExchanges, makeMailExchanges } from '../mail-exchanges.ts';
import { type EnrichmentProvider, makeEnrichmentProvider } from '../provider-http.ts';
import { makeProviderKey } from '../provider-key-store.ts';
import {
  type EnrichLeadDependencies,
  type EnrichmentTelemetry,
  enrichLead,
  type LeadOutcome,
  makeEnrichmentTelemetry,
} from './enrich-lead.ts';

export interface EnrichDependencies extends EnrichLeadDependencies {
  readonly visibility: MessageVisibility;
  readonly telemetry: EnrichmentTelemetry;
  readonly random: () => number;
  readonly deadlineMilliseconds?: number;
}

/** For one message, all of a batch at once; well within the function's 30 s. */
const DEADLINE_MS = 12_000;

/** Of the deadline; the rest is for storing what is known if DNS or the provider does not respond. */
const SHARE_FOR_ASKING = 2 / 3;

/** One message's failure does not end the batch: the response lists only the messages that should come back. */
export function makeEnrich(dependencies: EnrichDependencies) {
  return async function enrich(event: SQSEvent): Promise<SQSBatchResponse> {
    const together = makeTogether(event.Records.length);
    const sharing = { ...dependencies, enrichments: dependencies.enrichments.of(together) };
    const done = await Promise.all(
      event.Records.map((record) => enrichRecord(record, sharing).finally(together.leave)),
    );
    const failed = event.Records.filter((_, index) => !done[index]);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** Whether the message may leave the queue. */
async function enrichRecord(record: SQSRecord, dependencies: EnrichDependencies): Promise<boolean> {
  const { telemetry, now } = dependencies;
  const startedAt = now();
  const receiveCount = Number(record.attributes.ApproximateReceiveCount) || 1;
  const message = parseEnrichmentMessage(record.body);
  const outcome = message
    ? await outcomeFor(message, receiveCount, record, dependencies)
    : { code: 'malformed' as const };
  telemetry.message({
    ...outcome,
    messageId: record.messageId,
    leadId: message?.leadId,
    receiveCount,
    tookMilliseconds: now() - startedAt,
  });
  return outcome.code !== 'retried' && outcome.code !== 'malformed';
}

type MessageOutcome = LeadOutcome & { retryInSeconds?: number | undefined; error?: unknown };

async function outcomeFor(
  message: EnrichmentMessage,
  receiveCount: number,
  record: SQSRecord,
  dependencies: EnrichDependencies,
): Promise<MessageOutcome> {
  const outcome = await attempt(message, receiveCount, dependencies);
  if (outcome.code !== 'retried') return outcome;
  return { ...outcome, retryInSeconds: await delay(record, receiveCount, dependencies) };
}

/** DynamoDB's failures and our own defects bring the message back, and are never recorded as the lead's failure. */
async function attempt(
  message: EnrichmentMessage,
  receiveCount: number,
  dependencies: EnrichDependencies,
): Promise<MessageOutcome> {
  const { deadlineMilliseconds = DEADLINE_MS } = dependencies;
  const whole = AbortSignal.timeout(deadlineMilliseconds);
  const asking = AbortSignal.timeout(Math.ceil(deadlineMilliseconds * SHARE_FOR_ASKING));
  try {
    return await enrichLead(message, receiveCount, dependencies, { whole, asking });
  } catch (error) {
    return { code: 'retried', error };
  }
}

/** Where even this fails, the message comes back after the queue's own visibility timeout. */
async function delay(
  { receiptHandle }: SQSRecord,
  receiveCount: number,
  { visibility, random }: EnrichDependencies,
): Promise<number | undefined> {
  const seconds = retryDelaySeconds(receiveCount, random());
  try {
    await visibility.comeBackIn(seconds, receiptHandle, AbortSignal.timeout(3_000));
    return seconds;
  } catch {
    return undefined;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

export function enrichDependencies(env: Environment): EnrichDependencies {
  const tables = tablesFromEnvironment(env, ['leads']);
  return {
    enrichments: makeEnrichments({ client: makeDocumentClient(), tables }),
    mailExchanges: mailExchangesFrom(env),
    provider: providerFrom(env),
    visibility: makeMessageVisibility(requireVariable(env, QUEUE_VARIABLES.enrichment)),
    telemetry: makeEnrichmentTelemetry(Date.now),
    now: Date.now,
    random: Math.random,
  };
}

function mailExchangesFrom(env: Environment): MailExchanges {
  const servers = (env[ENRICHMENT_VARIABLES.dnsServers] ?? '')
    .split(',')
    .map((server) => server.trim())
    .filter(Boolean);
  try {
    return makeMailExchanges({ now: Date.now, servers });
  } catch {
    throw new Error(
      `${ENRICHMENT_VARIABLES.dnsServers} must be IP addresses, each with a port or without, separated by commas`,
    );
  }
}

/** Off unless a deployer names one. */
function providerFrom(env: Environment): EnrichmentProvider | undefined {
  const text = env[ENRICHMENT_VARIABLES.providerUrl];
  if (!text) return undefined;
  const url = URL.parse(text);
  if (!url || !isAllowed(url)) {
    throw new Error(`${ENRICHMENT_VARIABLES.providerUrl} must be an https address (http only on loopback)`);
  }
  const readSecret = makeSecretReader(requireVariable(env, ENRICHMENT_VARIABLES.providerSecretArn));
  return makeEnrichmentProvider({
    url: url.href,
    key: makeProviderKey({ now: Date.now, readSecret }),
    now: Date.now,
  });
}

/** Leads are personal data and the key is a secret: neither travels in the clear, except within one machine. */
function isAllowed({ protocol, hostname, username, password }: URL): boolean {
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isLoopback)) && !username && !password;
}
