import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { makeEnrichmentTelemetry } from '#enrichment/enrich/enrich-lead.ts';
import { type EnrichDependencies, makeEnrich } from '#enrichment/enrich/handler.ts';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { makeMailExchanges } from '#enrichment/mail-exchanges.ts';
import { copyTable } from '#local/fixture/copy-table.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import { type Lead, makeLeadId, toLeadItem } from '#model/lead-item.ts';
import { localStack } from '../../local-stack.ts';
import { itemAt, setAttributes } from '../../stored-items.ts';
import { startDnsServer } from './external-servers.ts';

export const SAMPLE = {
  email: 'Ada@Analytical.com',
  phone: '+49 30 901820',
  name: 'Ada Byron',
  company: 'Analytical Engines',
};

type LogLine = Record<string, unknown> & { code: string; messageId: string };

interface Delay {
  readonly seconds: number;
  readonly receiptHandle: string;
}

/** The real handler over DynamoDB Local and a DNS server on loopback, with a clock that tests move. */
export async function openSubmissionFixture() {
  const stack = localStack();
  const clock = { now: Date.parse('2026-11-15T12:00:10Z') };
  const now = () => clock.now;
  const rawClient = stack.newClient();
  const calls = recordCalls(rawClient);
  const observer = toDocumentClient(stack.newClient());
  const dns = await startDnsServer(new Map());
  // Without a stream: the stack's own enrichment would be faster than the test.
  const TableName = await copyTable(rawClient, stack.tables.leads);
  const tables = { leads: TableName };

  /** A long timeout by default: a busy machine must not look like an outage. */
  const mailExchanges = (timeoutMilliseconds = 30_000) =>
    makeMailExchanges({ now, servers: [dns.address], timeoutMilliseconds });

  /** A new environment with its own memory, as on Lambda. */
  function newEnvironment(overrides: Partial<EnrichDependencies> = {}) {
    const logText: string[] = [];
    const delays: Delay[] = [];
    const enrich = makeEnrich({
      enrichments: makeEnrichments({ client: toDocumentClient(rawClient), tables }),
      mailExchanges: mailExchanges(),
      visibility: {
        comeBackIn: async (seconds, receiptHandle) => void delays.push({ seconds, receiptHandle }),
      },
      telemetry: makeEnrichmentTelemetry(now, (line) => void logText.push(line)),
      now,
      random: () => 0,
      // A busy machine must not fail a test that is not about time.
      deadlineMilliseconds: 60_000,
      ...overrides,
    });
    return {
      enrich,
      delays,
      logText,
      lines: () => logText.map((line) => JSON.parse(line) as LogLine),
      codes: () => logText.map((line) => (JSON.parse(line) as LogLine).code.replace('enrichment.', '')),
      /** Receives one message about one lead; returns the ids of the messages to retry. */
      receive: async (leadId: string, receiveCount = 1) =>
        (await enrich(eventOf(messageAbout(leadId, receiveCount)))).batchItemFailures,
    };
  }

  async function putLead(fields: unknown = SAMPLE, overrides: Record<string, unknown> = {}): Promise<string> {
    const leadId = makeLeadId(clock.now, randomBytes(10));
    const lead = {
      leadId,
      workspaceId: 'ws_enrich',
      formId: 'form_enrich',
      surface: '1a',
      receivedAt: new Date(clock.now).toISOString(),
      body: JSON.stringify(fields),
      score: 85,
      clean: true,
      signals: [{ name: 'email_plausible', weight: 50 }],
    } as unknown as Lead;
    await observer.send(new PutCommand({ TableName, Item: { ...toLeadItem(lead), ...overrides } }));
    return leadId;
  }

  const item = (leadId: string, part: string) => itemAt(observer, TableName, { leadId, part });

  return {
    stack,
    clock,
    calls,
    dns,
    mailExchanges,
    newEnvironment,
    putLead,
    leadItem: (leadId: string) => item(leadId, 'lead'),
    enrichmentOf: (leadId: string) => item(leadId, 'enrichment'),
    /** As a review does it. */
    setClean: (leadId: string, clean: boolean) =>
      setAttributes(observer, TableName, { leadId, part: 'lead' }, { clean }),
    deleteLead: (leadId: string) =>
      observer.send(new DeleteCommand({ TableName, Key: { leadId, part: 'lead' } })),
    async close() {
      await dns.close();
      await rawClient.send(new DeleteTableCommand({ TableName }));
      rawClient.destroy();
      observer.destroy();
    },
  };
}

export type EnrichmentFixture = Awaited<ReturnType<typeof openSubmissionFixture>>;

export function messageAbout(leadId: string, receiveCount = 1): SQSRecord {
  return message(JSON.stringify({ leadId }), receiveCount);
}

export function message(body: string, receiveCount = 1): SQSRecord {
  return {
    messageId: randomUUID(),
    receiptHandle: randomUUID(),
    body,
    attributes: { ApproximateReceiveCount: String(receiveCount) },
  } as unknown as SQSRecord;
}

export function eventOf(...Records: SQSRecord[]): SQSEvent {
  return { Records };
}
