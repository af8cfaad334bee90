import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { makeDocumentClient, type StoreContext } from '#aws/dynamodb.ts';
import { makeWorkspaceGuard, type WorkspaceGuard } from '#aws/removed-workspaces.ts';
import { describeError, type FunctionLog, makeFunctionLog, toStdout } from '#aws/telemetry.ts';
import { makeTogether, type Together } from '#aws/together.ts';
import { SEARCH_METRICS, tablesFromEnvironment } from '#contract';
import { fieldsOfLead, isTestLead, objectIn } from '#model/lead-fields.ts';
import { fromPerhapsDamagedItem, type Lead } from '#model/lead-item.ts';
import {
  handlingOf,
  type IndexMessage,
  type LeadAddress,
  type LeadEntries,
  readIndexMessage,
  toEntries,
} from '../index-entry.ts';
import { contactOfLead } from '../lead-contact.ts';
import { type LeadIndex, makeLeadIndex } from '../lead-index-store.ts';
import { type IndexedLeads, makeIndexedLeads } from './indexed-leads-store.ts';

export interface IndexLeadsDependencies {
  /** The leads as the parts of one batch read them. */
  readonly leads: (together: Together) => IndexedLeads;
  readonly index: LeadIndex;
  readonly workspaces: WorkspaceGuard;
  readonly log: FunctionLog;
  readonly onError?: (error: unknown) => void;
}

const DEADLINE_MS = 12_000;

/**
 * Brings the index up to date with each lead that a message names, whatever happened to it: messages come in any order
 * and more than once. After writing, it looks at the lead again: a lead that was erased meanwhile is removed, and one that
 * changed is written again.
 */
export function makeIndexLeads({ leads: leadsOf, index, workspaces, log, onError }: IndexLeadsDependencies) {
  async function readLead(
    leads: IndexedLeads,
    address: LeadAddress,
    signal: AbortSignal,
  ): Promise<Lead | undefined> {
    const item = await leads.read(address.leadId, signal);
    // An expired lead stays in the index until DynamoDB deletes it: searches leave it out, and erasure must find it.
    return item?.workspaceId === address.workspaceId ? fromPerhapsDamagedItem(item) : undefined;
  }

  async function bringUpToDate(
    message: IndexMessage,
    together: Together,
    signal: AbortSignal,
  ): Promise<void> {
    const { type } = message;
    const leads = leadsOf(together);
    if (type === 'lead.enrichment_failed' || type === 'lead.enriched') {
      const failed = type === 'lead.enrichment_failed';
      if (await index.noteFailedEnrichment(message, failed, signal)) return;
    }
    if (type === 'lead.handled' && (await noteHandling(leads, message, signal))) return;
    let written: LeadEntries | undefined;
    for (let lead = await readLead(leads, message, signal); ; ) {
      if (!lead) return removeEntries(message, written, signal);
      const fields = fieldsOfLead(lead);
      // New leads have no enrichment yet.
      const enrichmentFailed =
        type !== 'lead.accepted' && (await leads.hasFailedEnrichment(lead.leadId, signal));
      const test = isTestLead(lead, fields);
      const body = lead.fields === undefined ? fields : objectIn(lead.body);
      const contact = contactOfLead(fields ?? {}, lead.roles, body ?? {});
      const entries = toEntries({ lead, enrichmentFailed, test }, contact);
      written = { ...entries, isDamaged: fields === undefined, before: written };
      const outcome = await index.write(message, written, signal, together);
      const now = await readLead(leads, message, signal);
      if (outcome === 'erased') {
        if (!now) return;
        // A lead is deleted before its tombstone is written: one that is there afterwards was restored from a backup.
        await index.liftTombstone(message, signal);
        continue;
      }
      if (now && stateOf(now) === stateOf(lead)) return;
      lead = now;
    }
  }

  /**
   * All that can have changed besides a review, which has a message of its own. False if there is more to do: the lead
   * is gone, or has no entry yet.
   */
  async function noteHandling(
    leads: IndexedLeads,
    address: LeadAddress,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (let lead = await readLead(leads, address, signal); lead; ) {
      if (!(await index.noteHandling(address, handlingOf(lead), signal))) return false;
      const now = await readLead(leads, address, signal);
      if (now && handlingOf(now) === handlingOf(lead)) return true;
      lead = now;
    }
    return false;
  }

  /** A workspace that is being offboarded or gone keeps nothing, not even a tombstone. */
  async function removeEntries(
    address: LeadAddress,
    written: LeadEntries | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const isLeaving = async () => (await workspaces.removed([address.workspaceId], signal)).size > 0;
    if (!(await isLeaving())) {
      await index.remove(address, signal);
      // Offboarding may have begun in the meantime.
      if (!(await isLeaving())) return;
    }
    await index.forget(address, written, signal);
  }

  return async function indexLeads({ Records }: SQSEvent): Promise<SQSBatchResponse> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const together = makeTogether(Records.length);
    const outcomes = await Promise.all(
      Records.map(async ({ body, messageId }) => {
        try {
          await bringUpToDate(readIndexMessage(body), together, signal);
          return [];
        } catch (error) {
          onError?.(error);
          return [{ itemIdentifier: messageId }];
        } finally {
          together.leave();
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

/** Everything that can change about a lead and is part of its entries. */
function stateOf(lead: Lead): string {
  const { clean, review, roles, body } = lead;
  return JSON.stringify([clean, review?.verdict, handlingOf(lead), roles, body === '']);
}

/** The log line of an unexpected error, which never quotes the lead. */
export function defectLine(error: unknown): string {
  return JSON.stringify({ level: 'ERROR', code: 'index.defect', ...describeError(error) });
}

/** What indexing reads and writes. */
export function indexStores(
  context: StoreContext<'leads' | 'leadIndex' | 'workspaces'> & { readonly now: () => number },
): Pick<IndexLeadsDependencies, 'leads' | 'index' | 'workspaces'> {
  return {
    leads: makeIndexedLeads(context),
    index: makeLeadIndex(context),
    workspaces: makeWorkspaceGuard(context),
  };
}

export function indexLeadsDependencies(env: NodeJS.ProcessEnv): IndexLeadsDependencies {
  const tables = tablesFromEnvironment(env, ['leads', 'leadIndex', 'workspaces']);
  return {
    ...indexStores({ client: makeDocumentClient(), tables, now: Date.now }),
    log: makeFunctionLog(Date.now),
    onError: (error) => toStdout(defectLine(error)),
  };
}
