import type { EnrichmentState } from '../../enrichment/enrichment-item.ts';
import { type Followed, statusOf } from '../../model/handling.ts';
import { type LeadEvent, receivedAtOf } from '../../model/lead-events.ts';
import { itemBytes, type Lead, type LeadItem } from '../../model/lead-item.ts';
import type { LeadVerdict, Review } from '../../model/senders.ts';
import { type IndexedContact, KEY_BYTES, keysOfContact, type LeadContact } from './lead-contact.ts';
import { searchedText } from './search-query.ts';

/** What the workspace's list shows of a lead. The state of its enrichment is not part of its entry. */
export interface ListedLead extends LeadContact {
  readonly leadId: string;
  readonly formId: string;
  readonly receivedAt: string;
  readonly surface: string;
  readonly score: number;
  readonly grade?: string | undefined;
  readonly clean: boolean;
  /** Present if a person decided. */
  readonly review?: LeadVerdict | undefined;
  /** Absent while the lead is new. */
  readonly handling?: Handling | undefined;
  readonly enrichmentFailed?: true | undefined;
  readonly test?: true | undefined;
  readonly expiresAt?: number | undefined;
}

/** A listed lead with what only Leads knows. Leads is read consistently, so this is newer than the list. */
export interface ShownLead extends Omit<ListedLead, 'review' | 'handling'>, Followed {
  readonly enrichment: EnrichmentState;
  readonly review?: Review | undefined;
  /** The first words of what the person wrote. */
  readonly preview?: string | undefined;
}

/** What the list keeps of a lead's status. */
export type Handling = 'open' | 'handled';

export function handlingOf(lead: Followed): Handling | undefined {
  const status = statusOf(lead);
  return status === 'new' ? undefined : status;
}

export interface LeadAddress {
  readonly workspaceId: string;
  readonly leadId: string;
}

/** A lead of which the index is to be brought up to date. */
export interface IndexMessage extends LeadAddress {
  readonly type: LeadEvent['type'] | 'lead.reindexed';
}

export function readIndexMessage(body: string): IndexMessage {
  const { type, workspaceId, leadId } = JSON.parse(body) as Partial<Record<keyof IndexMessage, unknown>>;
  const isComplete = [type, workspaceId, leadId].every((text) => typeof text === 'string' && text !== '');
  if (!isComplete) throw new Error('a message that names no lead');
  return { type, workspaceId, leadId } as IndexMessage;
}

/** The list has a partition for each month, which follows from the lead's id. */
export function listBucket(workspaceId: string, month: string): string {
  return `list#${workspaceId}#${month}`;
}

export function monthOf(leadId: string): string {
  const receivedAt = new Date(receivedAtOf(leadId)).toISOString();
  // An id can name years that are written with a sign, which would come before all others.
  return receivedAt.startsWith('+') ? LAST_MONTH : receivedAt.slice(0, 7);
}

const LAST_MONTH = '9999-12';

/** Lists the months that have entries. */
export const monthsBucket = (workspaceId: string): string => `months#${workspaceId}`;

export const personBucket = (workspaceId: string, key: string): string => `person#${workspaceId}#${key}`;

export function listKey({ workspaceId, leadId }: LeadAddress) {
  return { bucket: listBucket(workspaceId, monthOf(leadId)), leadId };
}

export interface PersonEntry {
  readonly bucket: string;
  readonly leadId: string;
  /** The address stands in the lead, but is not its contact's. */
  readonly mentioned?: true;
  readonly expiresAt?: number | undefined;
}

export interface LeadEntries {
  readonly list: LeadItem;
  readonly people: readonly PersonEntry[];
  /** Of a lead that was damaged since: the list may still know whose it is. */
  readonly isDamaged?: boolean;
  /** What the same writer wrote a moment ago, before it saw that the lead had changed. */
  readonly before?: LeadEntries | undefined;
}

const CONTACT = ['name', 'company', 'email', 'phone', 'folded', 'keys'] as const;

/** What an entry says about the contact. */
export function contactIn(entry: LeadItem): LeadItem {
  return Object.fromEntries(CONTACT.map((name) => [name, entry[name]]));
}

export const SCHEMA_VERSION = 2;
/** An entry is one write unit, however long the names are. */
const MAX_BYTES = 1_024;
const MAX_SHOWN_LENGTH = { name: 90, company: 90, email: 254, phone: 20 } as const;

/** What the list must know of a lead besides its contact. */
export interface IndexedLead {
  readonly lead: Lead;
  readonly enrichmentFailed: boolean;
  readonly test: boolean;
}

export function toEntries(
  { lead, enrichmentFailed, test }: IndexedLead,
  contact: IndexedContact,
): LeadEntries {
  const { leadId, workspaceId, formId, surface, score, grade, clean, review, expiresAt } = lead;
  const { name, company, email, phone, keys, mentioned } = contact;
  const shown = {
    name: cut(name, MAX_SHOWN_LENGTH.name),
    company: cut(company, MAX_SHOWN_LENGTH.company),
    email: email === undefined ? undefined : listedEmail(email),
    phone: cut(phone, MAX_SHOWN_LENGTH.phone),
  };
  const known = keysOfContact(shown);
  const entry = {
    ...listKey({ workspaceId, leadId }),
    formId,
    surface,
    score,
    grade,
    clean,
    review: review?.verdict,
    handling: handlingOf(lead),
    ...(enrichmentFailed && { enrichmentFailed }),
    ...(test && { test }),
    ...shown,
    expiresAt,
    keys: packKeys([...keys, ...mentioned].filter((key) => !known.includes(key))),
    v: SCHEMA_VERSION,
  };
  const person = (key: string) => ({
    bucket: personBucket(workspaceId, key),
    leadId,
    ...(expiresAt !== undefined && { expiresAt }),
    v: SCHEMA_VERSION,
  });
  return {
    list: { ...entry, folded: fittingText(searchedText(contact), entry) },
    people: [...keys.map(person), ...mentioned.map((key) => ({ ...person(key), mentioned: true as const }))],
  };
}

/** Takes the place of an erased lead's entry, so that a late message cannot bring it back. It holds no personal text. */
export function toTombstone(
  address: LeadAddress,
  keys: readonly string[],
  nowMilliseconds: number,
): LeadItem {
  return {
    ...listKey(address),
    erasedAt: new Date(nowMilliseconds).toISOString(),
    keys: packKeys(keys),
    expiresAt: Math.ceil(nowMilliseconds / 1000) + TOMBSTONE_SECONDS,
    v: SCHEMA_VERSION,
  };
}

/** Longer than a queue keeps its messages. */
const TOMBSTONE_SECONDS = 15 * 24 * 60 * 60;

export const isTombstone = ({ erasedAt }: LeadItem): boolean => erasedAt !== undefined;

/** What the list keeps of an address: all but the longest are whole. */
export function listedEmail(normalized: string): string {
  return cut(normalized, MAX_SHOWN_LENGTH.email) as string;
}

export function fromListEntry(item: LeadItem): ListedLead {
  const {
    bucket: _bucket,
    folded: _folded,
    keys: _keys,
    stale: _stale,
    n: _n,
    v: _version,
    ...listed
  } = item;
  const receivedAt = new Date(receivedAtOf(item.leadId as string)).toISOString();
  return { ...listed, receivedAt } as LeadItem & ListedLead;
}

/**
 * The keys under which a lead has entries, as its list entry says. Most follow from address and number: `keys` has the
 * others, since every search reads it. A number without its country has none, though this names one.
 */
export function keysNamedBy(entry: LeadItem): string[] {
  return [...new Set([...keysOfContact(entry as LeadContact), ...unpackKeys(entry.keys)])];
}

/** Also those that the lead no longer has, and whose entries may not be deleted yet. */
export function keysIn(entry: LeadItem): string[] {
  return [...new Set([...keysNamedBy(entry), ...unpackKeys(entry.stale)])];
}

/** One after the other, as bytes: they are in every entry, and every search reads them. */
export function packKeys(keys: readonly string[]): Buffer | undefined {
  return keys.length === 0 ? undefined : Buffer.concat(keys.map((key) => Buffer.from(key, 'base64url')));
}

export function unpackKeys(packed: unknown): string[] {
  if (!(packed instanceof Uint8Array)) return [];
  const bytes = Buffer.from(packed);
  return Array.from({ length: bytes.length / KEY_BYTES }, (_, index) =>
    bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES).toString('base64url'),
  );
}

/** What may be added to an entry later, when its lead is handled or its enrichment fails. */
const LATER = { handling: 'handled' satisfies Handling, enrichmentFailed: true, n: 9_999 };

/** As many words as fit. */
function fittingText(text: string, entry: Readonly<Record<string, unknown>>): string | undefined {
  const present = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
  const room = MAX_BYTES - itemBytes({ ...present, ...LATER, folded: '' });
  let fitting = text;
  while (Buffer.byteLength(fitting) > room)
    fitting = fitting.slice(0, fitting.trimEnd().lastIndexOf(' ') + 1);
  return fitting.trim() === '' ? undefined : fitting;
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
