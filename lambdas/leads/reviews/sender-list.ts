import type { LeadVerdict, SenderEntry, SenderList, SenderStatus } from '../../model/senders.ts';
import { Fault } from '../../owner-api/fields.ts';
import { entryFor, isCompanyDomain, type Sender } from '../../scoring/sender.ts';

/** All of them are read with the configuration of every submission that is not cached. */
export const MAX_SENDERS = 500;

export interface ListedSender extends SenderEntry {
  readonly sender: string;
}

/** Newest first. */
export function listedSenders(list: SenderList): ListedSender[] {
  return Object.entries(list)
    .map(([sender, entry]) => ({ sender, ...entry }))
    .sort((a, b) => b.addedAt.localeCompare(a.addedAt) || a.sender.localeCompare(b.sender));
}

export const SENDER_SCOPES = ['address', 'domain', 'none'] as const;

/** What a verdict puts on the list. Only a company's domain can be on it, else the address stands for it. */
export type SenderScope = (typeof SENDER_SCOPES)[number];

/** A verdict on one lead, or null if it was withdrawn. */
export interface SenderVerdict {
  readonly sender: Sender;
  readonly verdict: LeadVerdict | null;
  readonly leadId: string;
  /** If somebody chose it. Then it takes the place of what the review had added before. */
  readonly scope?: SenderScope | undefined;
}

export interface ChangedList {
  readonly list: SenderList;
  readonly changed: readonly { readonly sender: string; readonly status: SenderStatus | null }[];
  /** Whether a sender did not fit. */
  readonly full: boolean;
}

/**
 * The list after some verdicts. A verdict adds the company's domain, or the address of a free mail user. What is there
 * already with the same status stays as it is; a withdrawn verdict removes only what it had added.
 */
export function applyVerdicts(list: SenderList, verdicts: readonly SenderVerdict[], at: string): ChangedList {
  const next = new Map(Object.entries(list));
  let full = false;
  for (const { sender, verdict, leadId, scope } of verdicts) {
    const entry = scope === 'address' ? sender.address : entryFor(sender);
    if (verdict === null || scope !== undefined) {
      for (const each of [entryFor(sender), sender.address]) {
        const isKept = verdict !== null && scope !== 'none' && each === entry;
        if (next.get(each)?.leadId === leadId && !isKept) next.delete(each);
      }
    }
    if (verdict === null || scope === 'none') continue;
    const status = statusFor(verdict);
    // An older decision about the address would come before the one about its domain.
    for (const each of [entry, sender.address]) {
      if (next.has(each) && next.get(each)?.status !== status) next.delete(each);
    }
    if (next.has(entry) || next.get(entryFor(sender))?.status === status) continue;
    if (next.size >= MAX_SENDERS) full = true;
    else next.set(entry, { status, addedAt: at, leadId });
  }
  return { list: Object.fromEntries(next), changed: changesBetween(list, next), full };
}

export const statusFor = (verdict: LeadVerdict): SenderStatus => (verdict === 'good' ? 'trusted' : 'blocked');

function changesBetween(before: SenderList, after: ReadonlyMap<string, SenderEntry>): ChangedList['changed'] {
  const names = new Set([...Object.keys(before), ...after.keys()]);
  return [...names].flatMap((sender) => {
    const status = after.get(sender)?.status ?? null;
    return (before[sender]?.status ?? null) === status ? [] : [{ sender, status }];
  });
}

const MAX_SENDER_LENGTH = 254;
const DOMAIN =
  /^(?=.{3,253}$)(?:[a-z0-9\u0080-\uffff](?:[a-z0-9\u0080-\uffff-]{0,61}[a-z0-9\u0080-\uffff])?\.)+[a-z0-9\u0080-\uffff-]{2,63}$/;
const LOCAL = /^[^\s@"<>,;]{1,64}$/;

/** An address or a domain as the list has it. Throws a Fault. */
export function readSender(value: unknown): string {
  const text = typeof value === 'string' ? value.trim().toLowerCase().replace(/^@/, '') : '';
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  const isSender =
    text.length <= MAX_SENDER_LENGTH && DOMAIN.test(domain) && (at < 0 || LOCAL.test(text.slice(0, at)));
  if (!isSender) throw new Fault('must be an email address or a domain, such as ada@acme.com or acme.com');
  return text;
}

/** Why a sender cannot be put on the list, if so. One that is on it can always be removed. */
export function whyNotListable(sender: string): string | undefined {
  if (sender.includes('@') || isCompanyDomain(sender)) return undefined;
  return 'is a domain at which anybody can have an address. Add single addresses instead';
}
