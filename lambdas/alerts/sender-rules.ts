import type { AnySurface } from '../model/limits.ts';
import { NEVER_ACCEPTABLE } from '../model/reasons.ts';
import { type AlertFacts, alertKey, type Finding } from './alert.ts';
import { type Baseline, expectedLeads, unusualGap } from './baseline.ts';
import { recentClockShifts } from './clock-changes.ts';
import {
  DAY,
  formSurfaceOf,
  MINUTE,
  type RejectionTally,
  type SenderUse,
  type Snapshot,
  surfaceOf,
  type Watch,
} from './snapshot.ts';

/** The silence of a sender matters if it was accepted within this time. */
const MISSED_FOR = 7 * DAY;
/** A shorter pause is no silence. */
const MIN_SILENCE = 15 * MINUTE;
/** For a form whose week is not known yet, a silence over a long weekend is not unusual. */
const YOUNG_SILENCE = 3 * DAY;
/** An alert that nobody reacts to ends after this. */
const MAX_ALERT = 30 * DAY;
const MIN_REJECTIONS = 3;
/** An alert about deliveries that were refused for good stays open until none came for so long. */
const LOST_FOR = DAY;
const MISSED_LEADS = 3;

interface FormSurface {
  readonly formSurface: string;
  readonly formId: string;
  readonly surface: AnySurface;
  readonly lastUsedAt: number;
  readonly senders: readonly SenderUse[];
}

function formSurfacesOf(senders: readonly SenderUse[]): FormSurface[] {
  return [...Map.groupBy(senders, formSurfaceOf)].flatMap(([formSurface, group]) => {
    const [first] = group;
    if (!first) return [];
    const lastUsedAt = Math.max(...group.map((sender) => sender.lastUsedAt));
    return { formSurface, formId: first.formId, surface: surfaceOf(first), lastUsedAt, senders: group };
  });
}

/** From when on rejections matter: a sender is silent for so long that it may be broken, or a lead was lost. */
export function rejectionsNeededSince(
  { senders, refused }: Pick<Snapshot, 'senders' | 'refused'>,
  now: number,
): number | undefined {
  const silent = senders.filter(
    ({ lastUsedAt }) => now - lastUsedAt >= MIN_SILENCE && now - lastUsedAt <= MISSED_FOR,
  );
  const lost = refused.filter(({ at }) => now - at <= LOST_FOR).map(() => now - LOST_FOR);
  const since = [...silent.map(({ lastUsedAt }) => lastUsedAt), ...lost];
  return since.length === 0 ? undefined : Math.min(...since);
}

/**
 * A sender that used to be accepted, and is now only rejected. What authenticated senders or a nearly right signature
 * prove counts after a short silence. Everything else can be forged by anybody who knows the form's address: then the
 * silence must be so long that it would be reported by itself.
 */
export function brokenSenders({ senders, baselines, rejections, recent }: Snapshot, watch: Watch): Finding[] {
  return formSurfacesOf(senders).flatMap(({ formSurface, formId, surface, lastUsedAt }) => {
    const key = { kind: 'sender_broken', subject: formSurface } as const;
    const silence = watch.now - lastUsedAt;
    const open = watch.open.get(alertKey(key));
    if (open?.facts.lastAcceptedAt === new Date(lastUsedAt).toISOString()) {
      return silence > MAX_ALERT ? [] : { ...key, ...open };
    }
    if (silence > MISSED_FOR) return [];

    const own = recent.filter(
      (each) => each.formId === formId && each.surface === surface && each.at > lastUsedAt,
    );
    const since = rejectionsSince(lastUsedAt, { formId, surface }, { rejections, recent: own });
    const mistakes = own.flatMap(({ mistake }) => mistake ?? []);
    const all = total(since);
    const misconfigured = total(since.filter(({ reason }) => reason === 'token_revoked')) + mistakes.length;
    const proved = total(since.filter(({ authenticated }) => authenticated)) + misconfigured;
    const baseline = baselines.get(formSurface);
    const missed = baseline ? missedLeads(baseline, lastUsedAt, watch.now) : 0;
    const after = watch.settings.senderBroken.afterMinutes * MINUTE;
    const isBroken =
      (proved > 0 && missed >= MISSED_LEADS && !baseline?.young && silence >= MIN_SILENCE) ||
      ((misconfigured > 0 || proved >= MIN_REJECTIONS) && silence >= after) ||
      (all >= MIN_REJECTIONS &&
        silence >= MIN_SILENCE &&
        baseline !== undefined &&
        missed >= unusualGap(baseline) &&
        (!baseline.young || silence >= YOUNG_SILENCE));
    if (!isBroken) return [];
    const facts: AlertFacts = {
      formId,
      surface,
      lastAcceptedAt: new Date(lastUsedAt).toISOString(),
      rejections: Math.max(all, mistakes.length),
      reason: mostFrequent(since.map(({ reason, count }) => [reason, count])),
      mistake: mostFrequent(mistakes.map((mistake) => [mistake, 1])),
      ...(missed >= 1 && { expectedLeads: Math.round(missed) }),
    };
    return { ...key, since: lastUsedAt, facts };
  });
}

/**
 * Where other tokens of the form still work, one that was revoked is recognised by its own reason. Of several silent
 * ones, the last to be used is taken for it.
 */
export function revokedTokens(
  { senders, rejections, recent }: Snapshot,
  { settings, open, now }: Watch,
): Finding[] {
  return formSurfacesOf(senders).flatMap(({ formId, surface, senders: all }) => {
    const tokens = all.filter(({ sender }) => sender.startsWith('token#'));
    const after = settings.senderBroken.afterMinutes * MINUTE;
    const silent = tokens.filter(
      ({ lastUsedAt }) => now - lastUsedAt >= after && now - lastUsedAt <= MISSED_FOR,
    );
    const last = silent.sort((a, b) => b.lastUsedAt - a.lastUsedAt)[0];
    if (!last || silent.length === all.length) return [];
    const key = { kind: 'sender_broken', subject: last.sender } as const;
    const opened = open.get(alertKey(key));
    const lastAcceptedAt = new Date(last.lastUsedAt).toISOString();
    if (opened?.facts.lastAcceptedAt === lastAcceptedAt) return { ...key, ...opened };
    const since = rejectionsSince(last.lastUsedAt, { formId, surface }, { rejections, recent });
    const count = total(since.filter(({ reason }) => reason === 'token_revoked'));
    if (count === 0) return [];
    const facts = { formId, surface, lastAcceptedAt, rejections: count, reason: 'token_revoked' };
    return { ...key, since: last.lastUsedAt, facts };
  });
}

/**
 * Deliveries of a provider or tool that were authentic, and refused for good: it was told not to repeat them, so even
 * one of them is a lead that nobody else would miss.
 */
export function lostDeliveries({ refused, rejections }: Snapshot, { open, now }: Watch): Finding[] {
  return refused.flatMap(({ formId, at }) => {
    const surface = '1c';
    const key = { kind: 'sender_broken', subject: `${formId}#${surface}#refused` } as const;
    if (now - at > LOST_FOR) return [];
    const opened = open.get(alertKey(key));
    if (opened) return { ...key, ...opened };
    const lost = rejections.filter(
      (each) =>
        each.formId === formId &&
        each.surface === surface &&
        each.authenticated &&
        each.at > now - LOST_FOR &&
        NEVER_ACCEPTABLE.some((reason) => reason === each.reason),
    );
    // The recorder may not have counted it yet.
    if (lost.length === 0) return [];
    const reason = mostFrequent(lost.map((each) => [each.reason, each.count]));
    const facts = { formId, surface, problem: 'refused', rejections: total(lost), reason } as const;
    return { ...key, since: Math.min(...lost.map((each) => each.at)), facts };
  });
}

/** Counters have whole minutes, so those of the minute of the last lead may be older than it: events are exact. */
function rejectionsSince(
  lastUsedAt: number,
  { formId, surface }: Pick<FormSurface, 'formId' | 'surface'>,
  { rejections, recent }: Pick<Snapshot, 'rejections' | 'recent'>,
): RejectionTally[] {
  const nextMinute = (Math.floor(lastUsedAt / MINUTE) + 1) * MINUTE;
  return [
    ...rejections.filter(
      (each) => each.formId === formId && each.surface === surface && each.at >= nextMinute,
    ),
    ...recent
      .filter((each) => each.formId === formId && each.surface === surface)
      .filter(({ at }) => at > lastUsedAt && at < nextMinute)
      .map((each) => ({ ...each, count: 1 })),
  ];
}

/** By surface, and without browsers: a lead that anybody can send must not hide that a webhook has stopped. */
export function silentSenders({ senders, baselines }: Snapshot, { settings, open, now }: Watch): Finding[] {
  return formSurfacesOf(senders).flatMap(({ formSurface, formId, surface, lastUsedAt }) => {
    const key = { kind: 'silence', subject: formSurface } as const;
    const lastAcceptedAt = new Date(lastUsedAt).toISOString();
    const opened = open.get(alertKey(key));
    if (opened?.facts.lastAcceptedAt === lastAcceptedAt) return { ...key, ...opened };
    const baseline = baselines.get(formSurface);
    if (!baseline || baseline.young || now - lastUsedAt < MIN_SILENCE) return [];
    const missed = missedLeads(baseline, lastUsedAt, now);
    if (missed < unusualGap(baseline) * settings.silence.factor) return [];
    const facts = { formId, surface, lastAcceptedAt, expectedLeads: Math.round(missed) };
    return { ...key, since: lastUsedAt, facts };
  });
}

/**
 * The leads that a silence is worth. After a clock change, office hours begin or end an hour earlier or later in UTC than
 * the baseline knows, so that hour of the silence is not counted: its first where clocks went forward, its last where
 * they went back.
 */
function missedLeads(baseline: Baseline, from: number, to: number): number {
  const shifted = recentClockShifts(to).map((shift) =>
    shift > 0
      ? expectedLeads(baseline, Math.min(from + shift, to), to)
      : expectedLeads(baseline, from, Math.max(from, to + shift)),
  );
  return Math.min(expectedLeads(baseline, from, to), ...shifted);
}

function total(tallies: readonly RejectionTally[]): number {
  return tallies.reduce((sum, { count }) => sum + count, 0);
}

function mostFrequent(counts: readonly (readonly [name: string, count: number])[]): string | undefined {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].sort(([, a], [, b]) => b - a)[0]?.[0];
}
