import { oneLine } from '../model/one-line.ts';

/** The sources of facts that may be unavailable. */
export type ExternalSource = 'dns' | 'provider';

export type FactSource =
  | 'body'
  | 'message'
  | 'phone-metadata'
  | 'public-suffix-list'
  | 'top-level-domain'
  | 'mail-lists'
  | 'dns'
  | 'provider';

export type FactValue = string | number | boolean | readonly string[];

/** A fact and its source, so that an owner can judge it. */
export interface Fact {
  readonly value: FactValue;
  readonly source: FactSource;
  /** Present if the fact is only likely. */
  readonly confidence?: 'low';
}

/** What is not known is absent, never null. */
export type Facts = Readonly<Record<string, Fact>>;

/** The parts of a body that enrichment understands, whatever their keys were called. */
export type Role = 'email' | 'phone' | 'name' | 'firstName' | 'lastName' | 'company' | 'website' | 'country';

export type Roles = Readonly<Partial<Record<Role, string>>>;

/** Facts of one source from values of which some may be missing. */
export function factsFrom(
  source: FactSource,
  values: Readonly<Record<string, FactValue | undefined>>,
  isUncertain = false,
): Facts {
  const known = Object.entries(values).filter(
    (entry): entry is [string, FactValue] => entry[1] !== undefined && entry[1] !== '',
  );
  const rest = { source, ...(isUncertain && { confidence: 'low' as const }) };
  return Object.fromEntries(known.map(([name, value]) => [name, { value, ...rest }]));
}

/** In one line. Undefined if there is nothing to see, or too much. */
export function tidyText(text: string | undefined, mostCharacters: number): string | undefined {
  const tidy = oneLine((text ?? '').normalize('NFC'));
  return tidy === '' || tidy.length > mostCharacters ? undefined : tidy;
}

export const FAILURE_REASONS = ['body_unreadable', 'nothing_recognised'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What enrichment found, and which sources were unavailable. */
export type EnrichmentResult =
  | { readonly state: 'enriched'; readonly facts: Facts; readonly incomplete?: readonly ExternalSource[] }
  | { readonly state: 'failed'; readonly facts: Facts; readonly reason: FailureReason };

export type Enrichment = EnrichmentResult & {
  readonly leadId: string;
  readonly enrichedAt: string;
  /** How often the message had been received when this was written. */
  readonly attempts: number;
  /** The lead's own expiry: both are deleted at the same time. */
  readonly expiresAt?: number | undefined;
};

/** Whose lead it is, and its score: what the stream's readers need to announce the enrichment. */
export interface EnrichedLead {
  readonly workspaceId: unknown;
  readonly formId: unknown;
  readonly score: unknown;
  /** When the enrichment is written: a review may have changed it since the lead was read. */
  readonly clean: boolean;
  /** Set to announce an enrichment once more: what is written as it was is not announced. */
  readonly announcedAt?: string;
}

const SCHEMA_VERSION = 1;

/** Workspace and form have other names than in a lead, so that the index by form does not list the enrichment. */
export function toEnrichmentItem(
  enrichment: Enrichment,
  { workspaceId, formId, score, clean, announcedAt }: EnrichedLead,
) {
  return {
    ...enrichment,
    workspace: workspaceId,
    form: formId,
    score,
    clean,
    announcedAt,
    part: 'enrichment',
    v: SCHEMA_VERSION,
  };
}

/** Leaves out the attributes that belong to the lead. */
export function fromEnrichmentItem(item: Readonly<Record<string, unknown>>): Enrichment {
  const { part: _part, v: _version, expiresAt: _expiresAt, announcedAt: _announcedAt, ...rest } = item;
  const { workspace: _workspace, form: _form, score: _score, clean: _clean, ...enrichment } = rest;
  return enrichment as Enrichment;
}

export const ENRICHMENT_STATES = ['pending', 'enriched', 'failed', 'skipped'] as const;
export type EnrichmentState = (typeof ENRICHMENT_STATES)[number];

/** Only two states are stored. The others follow from the lead and from a missing enrichment. */
export function enrichmentState(
  lead: { readonly clean?: unknown },
  enrichment: Pick<Enrichment, 'state'> | undefined,
): EnrichmentState {
  if (lead.clean !== true) return 'skipped';
  return enrichment?.state ?? 'pending';
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the relay puts on the queue. */
export interface EnrichmentMessage {
  readonly leadId: string;
  /** A review has made the lead clean: destinations may have missed its enrichment while it was not. */
  readonly madeClean?: boolean | undefined;
}

/** Undefined if no retry can make the message readable. */
export function parseEnrichmentMessage(messageBody: string): EnrichmentMessage | undefined {
  let message: unknown;
  try {
    message = JSON.parse(messageBody);
  } catch {
    return undefined;
  }
  const { leadId, madeClean } = Object(message) as { leadId?: unknown; madeClean?: unknown };
  if (typeof leadId !== 'string' || !UUID.test(leadId)) return undefined;
  return { leadId, madeClean: madeClean === true };
}
