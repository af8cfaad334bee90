import type { EnrichmentState } from '../../enrichment/enrichment-item.ts';
import type { LeadEvent } from '../../model/lead-events.ts';
import type { Lead, LeadItem } from '../../model/lead-item.ts';
import { itemBytes } from '../../model/lead-item.ts';
import { bucketsOf, type LeadWords } from './index-words.ts';

/** What the workspace's list shows of a lead. */
export interface ListedLead {
  readonly leadId: string;
  readonly formId: string;
  readonly receivedAt: string;
  readonly surface: string;
  readonly score: number;
  readonly grade?: string | undefined;
  readonly clean: boolean;
  readonly enrichment: EnrichmentState;
  readonly test?: boolean | undefined;
  readonly name?: string | undefined;
  readonly company?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly expiresAt?: number | undefined;
}

export interface LeadEntries {
  /** Under the workspace. It lists the buckets, so that all entries can be found once the lead is gone. */
  readonly list: ListEntry;
  /** Under the first letters of each word. */
  readonly words: readonly Entry[];
}

interface Entry {
  readonly bucket: string;
  readonly leadId: string;
}

export interface ListEntry extends ListedLead, Entry {
  readonly buckets: readonly string[];
  /** All words with blanks around them, so that a filter finds beginnings. */
  readonly words: string;
}

const SCHEMA_VERSION = 1;
/** An entry is one write unit, however long the names are. */
const MAX_BYTES = 1_024;
const MAX_SHOWN_LENGTH = { name: 90, company: 90, email: 254, phone: 20 } as const;

/** For each lead, the update after enrichment included. */
export const MAX_WRITE_UNITS = 8;

export function listBucket(workspaceId: string): string {
  return `list#${workspaceId}`;
}

export function wordBucket(workspaceId: string, letters: string): string {
  return `${workspaceId}#${letters}`;
}

/** What the list must know of a lead, whatever its fields are. */
export interface IndexedLead {
  readonly lead: Lead;
  readonly enrichment: EnrichmentState;
  readonly test: boolean;
}

/** All entries of a lead. Without word entries the list still has the words. */
export function toEntries(
  { lead, enrichment, test }: IndexedLead,
  found: LeadWords,
  withWords: boolean,
): LeadEntries {
  const { leadId, workspaceId, formId, receivedAt, surface, score, grade, clean, expiresAt } = lead;
  // The list entry is written once, and again when a clean lead has been enriched.
  const most = withWords ? MAX_WRITE_UNITS - (clean ? 2 : 1) : 0;
  const buckets = bucketsOf(found.words, most);
  const { name, company, email, phone } = found.contact;
  const list = {
    bucket: listBucket(workspaceId),
    leadId,
    formId,
    receivedAt,
    surface,
    score,
    grade,
    clean,
    enrichment,
    ...(test && { test }),
    name: cut(name, MAX_SHOWN_LENGTH.name),
    company: cut(company, MAX_SHOWN_LENGTH.company),
    email: email === undefined ? undefined : listedEmail(email),
    phone: cut(phone, MAX_SHOWN_LENGTH.phone),
    expiresAt,
    buckets,
    v: SCHEMA_VERSION,
  };
  const shared = { leadId, formId, score, expiresAt, v: SCHEMA_VERSION };
  const entries = buckets.map((letters) => ({ bucket: wordBucket(workspaceId, letters), ...shared }));
  return {
    list: { ...list, words: fittingWords(found.words, list) },
    words: entries.map((entry) => ({ ...entry, words: fittingWords(found.words, entry) })),
  };
}

/** What the list keeps of an address: all but the longest are whole. */
export function listedEmail(normalized: string): string {
  return cut(normalized, MAX_SHOWN_LENGTH.email) as string;
}

export function fromListEntry(item: LeadItem): ListedLead {
  const { bucket: _bucket, buckets: _buckets, words: _words, v: _version, ...listed } = item;
  return listed as LeadItem & ListedLead;
}

/** As many words as fit, the most important first. */
function fittingWords(words: readonly string[], entry: Readonly<Record<string, unknown>>): string {
  const present = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
  let room = MAX_BYTES - itemBytes({ ...present, words: ' ' });
  let text = ' ';
  for (const word of words) {
    room -= Buffer.byteLength(word) + 1;
    if (room < 0) break;
    text += `${word} `;
  }
  return text;
}

/** By bytes, and never inside a character. */
function cut(text: string | undefined, mostBytes: number): string | undefined {
  if (text === undefined || Buffer.byteLength(text) <= mostBytes) return text;
  let [kept, bytes] = ['', Buffer.byteLength('…')];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A lead of which the index is to be brought up to date. After `lead.accepted` it has no entries yet. */
export type IndexMessage = Pick<LeadEvent, 'type' | 'workspaceId' | 'leadId'>;

export function readIndexMessage(body: string): IndexMessage {
  const { type, workspaceId, leadId } = JSON.parse(body) as Partial<Record<keyof IndexMessage, unknown>>;
  const isComplete = [type, workspaceId, leadId].every((text) => typeof text === 'string' && text !== '');
  if (!isComplete) throw new Error('a message that names no lead');
  return { type, workspaceId, leadId } as IndexMessage;
}
