import { createHash } from 'node:crypto';
import { fieldsOfLead, isTestLead } from '../model/lead-fields.ts';
import { fromLeadItem, readNewLead, type StreamedLead } from '../model/lead-item.ts';
import type { Shard, StreamRecord } from '../model/stream-record.ts';
import { type Bucket, bucketOf } from '../model/time-buckets.ts';

/** The lower ends of the score bands: 0–19, 20–39, 40–59, 60–79, 80–100. */
export const SCORE_BANDS = [0, 20, 40, 60, 80] as const;

/** A stream forgets after 24 hours, so no lead is delivered again later than that; twice as long is safe. */
const MARK_SECONDS = 48 * 60 * 60;

/**
 * Marks a lead as counted: by a restore, to whose stream it is a new one, and by the version that counted with one mark
 * per lead.
 */
export function countedMark(
  { workspaceId, leadId }: Pick<StreamedLead, 'workspaceId' | 'leadId'>,
  nowMilliseconds: number,
) {
  return {
    ...countedMarkKey({ workspaceId, leadId }),
    expiresAt: Math.ceil(nowMilliseconds / 1000) + MARK_SECONDS,
    v: 1,
  };
}

export function countedMarkKey({ workspaceId, leadId }: Pick<StreamedLead, 'workspaceId' | 'leadId'>) {
  return { workspaceId, sk: `counted#${leadId}` };
}

export interface CountedLead extends StreamedLead {
  /** Sent to try the form. It is accepted like any other, and says nothing about how the form is used. */
  readonly test?: boolean;
}

/** A new lead, and where it stands in its shard. */
export interface SequencedLead extends CountedLead {
  /** Padded, so that comparing texts compares numbers. DynamoDB's own numbers are too short for it. */
  readonly sequence: string;
}

/** The longest sequence number that DynamoDB documents. */
const SEQUENCE_DIGITS = 40;

/** Undefined for everything but a new lead. */
export function readSequencedLead(record: StreamRecord): SequencedLead | undefined {
  const lead = readNewLead(record);
  const sequence = record.dynamodb?.SequenceNumber?.padStart(SEQUENCE_DIGITS, '0');
  return lead && sequence !== undefined ? { ...lead, test: isTest(record), sequence } : undefined;
}

/** Whether a new lead in the stream is marked as a test. */
function isTest({ dynamodb }: StreamRecord): boolean {
  const { body, packed, fields, test } = dynamodb?.NewImage ?? {};
  if (test?.BOOL === true) return true;
  try {
    // Lambda passes bytes as base64, and the SDK as bytes.
    const bytes = packed?.B && Buffer.from(packed.B as string, 'base64');
    const lead = fromLeadItem({ body: body?.S, fields: fields?.S, packed: bytes, signals: '[]' });
    return isTestLead(lead, fieldsOfLead(lead));
  } catch {
    return false;
  }
}

/** Short, since it is part of many keys. Streams can have shards of the same name. */
export function shardName({ streamArn, shardId }: Shard): string {
  return createHash('sha256').update(`${streamArn}/${shardId}`).digest('base64url').slice(0, 11);
}

/** One item of Stats: an hour of a form, as one shard counted it. */
export interface HourCounter<Each extends CountedLead = CountedLead> {
  readonly workspaceId: string;
  readonly sk: string;
  readonly leads: readonly Each[];
}

/** The counters that these leads belong to. */
export function hourCounters<Each extends CountedLead>(
  leads: readonly Each[],
  shard: string,
): HourCounter<Each>[] {
  const keyOf = ({ receivedAt, formId }: Each) => `hour#${receivedAt.slice(0, 13)}Z#${formId}#${shard}`;
  const groups = Map.groupBy(leads, (lead) => `${lead.workspaceId}/${keyOf(lead)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? { workspaceId: first.workspaceId, sk: keyOf(first), leads: group } : [];
  });
}

/** What these leads add to their counter. */
export function incrementsOf(leads: readonly CountedLead[]): Record<string, number> {
  const increments: Record<string, number> = {};
  for (const lead of leads) {
    const names = ['accepted', bandName(lead.score), ...(lead.clean ? ['clean'] : []), ...kindNames(lead)];
    for (const name of names) increments[name] = (increments[name] ?? 0) + 1;
  }
  return increments;
}

/** Items of the version before had no sequence number, and their keys named no shard. */
export function readCounterKey({ sk, seq }: Readonly<Record<string, unknown>>): {
  readonly hour: string;
  readonly formId: string;
} {
  const [, hour = '', ...rest] = String(sk).split('#');
  return { hour, formId: (seq === undefined ? rest : rest.slice(0, -1)).join('#') };
}

/** The counter of how a lead was received. Leads of surface 1b have none, unless they are tests. */
function kindNames({ surface, test }: CountedLead): string[] {
  if (surface === '2') return ['browser'];
  if (test) return ['test'];
  return surface === '1a' ? ['server'] : [];
}

function bandName(score: number): string {
  return `band${SCORE_BANDS.findLast((from) => score >= from) ?? 0}`;
}

export interface LeadTally {
  readonly accepted: number;
  readonly clean: number;
  /** One for each of SCORE_BANDS, in their order. */
  readonly bands: readonly number[];
}

export interface LeadCount extends LeadTally {
  /** When the hour or day begins. */
  readonly at: string;
  readonly formId: string;
}

export interface LeadSummary {
  /** The range in whole hours, as it was counted. */
  readonly from: string;
  readonly to: string;
  readonly total: LeadTally;
  /** Newest first, without empty hours or days. */
  readonly counts: readonly LeadCount[];
  /** Whether counts before `completeFrom` are incomplete because there was too much to read. */
  readonly truncated: boolean;
  readonly completeFrom: string;
}

interface GrowingTally {
  accepted: number;
  clean: number;
  bands: number[];
}

/** Adds the hours of Stats up by bucket and form. Fed newest first, it gives newest first. */
export function sumLeads(bucket: Bucket) {
  const sums = new Map<string, GrowingTally & { at: string; formId: string }>();
  const total = noLeads();
  return {
    add(item: Readonly<Record<string, unknown>>): void {
      const { hour, formId } = readCounterKey(item);
      const at = bucketOf(hour, bucket);
      const key = `${at}#${formId}`;
      const sum = sums.get(key) ?? { at, formId, ...noLeads() };
      sums.set(key, sum);
      for (const tally of [sum, total]) raise(tally, item);
    },
    size: () => sums.size,
    result: (): { total: LeadTally; counts: LeadCount[] } => ({ total, counts: [...sums.values()] }),
  };
}

function noLeads(): GrowingTally {
  return { accepted: 0, clean: 0, bands: SCORE_BANDS.map(() => 0) };
}

function raise(tally: GrowingTally, item: Readonly<Record<string, unknown>>): void {
  const number = (name: string) => (typeof item[name] === 'number' ? item[name] : 0);
  tally.accepted += number('accepted');
  tally.clean += number('clean');
  for (const [index, from] of SCORE_BANDS.entries()) {
    tally.bands[index] = (tally.bands[index] ?? 0) + number(`band${from}`);
  }
}
