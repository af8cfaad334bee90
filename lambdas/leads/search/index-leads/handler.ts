import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { makeDocumentClient } from '#aws/dynamodb.ts';
import { describeError, type FunctionLog, makeFunctionLog, toStdout } from '#aws/telemetry.ts';
import { SEARCH_METRICS, SEARCH_VARIABLES, tablesFromEnvironment } from '#contract';
import { enrichmentState } from '#enrichment/enrichment-item.ts';
import { type Enrichments, makeEnrichments } from '#enrichment/enrichments-store.ts';
import { fromPerhapsDamagedItem } from '#model/lead-item.ts';
import { TEST_MARK } from '#model/limits.ts';
import { type IndexedLead, type IndexMessage, readIndexMessage, toEntries } from '../index-entry.ts';
import { readFields, wordsOfLead } from '../index-words.ts';
import { type LeadAddress, type LeadIndex, type ListedState, makeLeadIndex } from '../lead-index-store.ts';

export interface IndexLeadsDependencies {
  readonly leads: Pick<Enrichments, 'read'>;
  readonly index: LeadIndex;
  /** Whether words get entries of their own. Without them a search reads the workspace's list. */
  readonly withWords: boolean;
  readonly log: FunctionLog;
  readonly onError?: (error: unknown) => void;
}

const DEADLINE_MS = 12_000;

/**
 * Brings the index up to date with each lead that a message names, whatever happened to it: messages come in any order
 * and more than once. It reads the lead again after writing, since the lead may have changed or gone in between.
 */
export function makeIndexLeads({ leads, index, withWords, log, onError }: IndexLeadsDependencies) {
  async function read({ workspaceId, leadId }: LeadAddress, signal: AbortSignal) {
    const { leadItem, enrichment } = await leads.read(leadId, signal);
    // An expired lead stays in the index until DynamoDB deletes it: searches leave it out, and erasure must find it.
    if (leadItem?.workspaceId !== workspaceId) return undefined;
    const lead = fromPerhapsDamagedItem(leadItem);
    const fields = readFields(lead.body);
    const state = enrichmentState(lead, enrichment);
    return { lead, fields, enrichment: state, test: fields?.[TEST_MARK] === true };
  }

  async function bringUpToDate(message: IndexMessage, signal: AbortSignal): Promise<void> {
    const lead = await read(message, signal);
    if (!lead) return index.remove(message, signal);
    // If the lead was damaged since it was listed, its old entries are still found through its list entry.
    const mayBeListed = message.type !== 'lead.accepted' || lead.fields === undefined;
    const isListed = mayBeListed && (await index.update(message, stateOf(lead), signal));
    if (!isListed) {
      const entries = toEntries(lead, wordsOfLead(lead.fields ?? {}, lead.lead.roles), withWords);
      await index.write(message, entries, signal);
    }
    await recheck(message, stateOf(lead), signal);
  }

  /**
   * Two invocations may index the same lead at the same time, and the one that read the older state may write last. So
   * each reads the lead again after its write, and writes again if the lead has changed.
   */
  async function recheck(address: LeadAddress, written: ListedState, signal: AbortSignal): Promise<void> {
    const lead = await read(address, signal);
    if (!lead) return index.remove(address, signal);
    const state = stateOf(lead);
    if (state.clean === written.clean && state.enrichment === written.enrichment) return;
    await index.update(address, state, signal);
    await recheck(address, state, signal);
  }

  return async function indexLeads({ Records }: SQSEvent): Promise<SQSBatchResponse> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const outcomes = await Promise.all(
      Records.map(async ({ body, messageId }) => {
        try {
          await bringUpToDate(readIndexMessage(body), signal);
          return [];
        } catch (error) {
          onError?.(error);
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    const batchItemFailures = outcomes.flat();
    log.write('index.batch', {
      [SEARCH_METRICS.indexed]: Records.length - batchItemFailures.length,
      [SEARCH_METRICS.failed]: batchItemFailures.length,
    });
    return { batchItemFailures };
  };
}

function stateOf({ lead, enrichment }: IndexedLead): ListedState {
  return { clean: lead.clean, enrichment };
}

/** The log line of an unexpected error, which never quotes the lead. */
export function defectLine(error: unknown): string {
  return JSON.stringify({ level: 'ERROR', code: 'index.defect', ...describeError(error) });
}

export function indexLeadsDependencies(env: NodeJS.ProcessEnv): IndexLeadsDependencies {
  const context = {
    client: makeDocumentClient(),
    tables: tablesFromEnvironment(env, ['leads', 'leadIndex']),
  };
  return {
    leads: makeEnrichments(context),
    index: makeLeadIndex(context),
    withWords: env[SEARCH_VARIABLES.words] !== 'false',
    log: makeFunctionLog(Date.now),
    onError: (error) => toStdout(defectLine(error)),
  };
}
