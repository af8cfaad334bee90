import type { AlertEventType } from '../sending/destination.ts';
import {
  type Alert,
  type AlertOutcome,
  type AlertSettings,
  alertKey,
  type Finding,
  SETTING_OF,
} from './alert.ts';
import { DAY, MINUTE, type Snapshot, surfaceOf } from './snapshot.ts';

/** The newest incident of a kind and subject, open or closed. */
export type AlertState = Pick<
  Alert,
  'alertId' | 'kind' | 'subject' | 'since' | 'openedAt' | 'closedAt' | 'facts'
> & {
  /** Events that may not have been announced yet. */
  readonly pending?: readonly AlertEventType[] | undefined;
};

export interface Decisions {
  readonly open: readonly Finding[];
  readonly close: readonly { readonly state: AlertState; readonly outcome: AlertOutcome }[];
}

export interface DecisionContext {
  readonly settings: AlertSettings;
  readonly snapshot: Snapshot;
  readonly now: number;
}

/** What to open and what to close, so that one incident is one message and one more when it is over. */
export function decide(
  findings: readonly Finding[],
  states: readonly AlertState[],
  { settings, snapshot, now }: DecisionContext,
): Decisions {
  const found = new Map(findings.map((finding) => [alertKey(finding), finding]));
  const known = new Map(states.map((state) => [alertKey(state), state]));
  const open = [...found.values()].filter((finding) => {
    const state = known.get(alertKey(finding));
    if (!state) return true;
    return state.closedAt !== undefined && now - Date.parse(state.closedAt) >= settings.quietMinutes * MINUTE;
  });
  const close = states
    // A repeated event is older than what a later run has opened since.
    .filter(
      (state) =>
        state.closedAt === undefined && !found.has(alertKey(state)) && Date.parse(state.openedAt) <= now,
    )
    .map((state) => ({ state, outcome: outcomeOf(state) }));
  return { open, close };

  function outcomeOf(state: AlertState): AlertOutcome {
    if (isSuperseded(state, findings)) return 'superseded';
    return isEnabled(state, settings) && hasRecovered(state, snapshot, now) ? 'recovered' : 'ended';
  }
}

/** A graver alert about the same thing takes the place of this one. */
function isSuperseded({ kind, subject, facts }: AlertState, findings: readonly Finding[]): boolean {
  if (kind === 'silence') {
    return findings.some((each) => each.kind === 'sender_broken' && each.facts.formId === facts.formId);
  }
  const isNear = kind === 'daily_limit' && subject.endsWith('#near');
  return isNear && findings.some((each) => each.kind === kind && each.facts.surface === facts.surface);
}

/** Whether the problem is gone, and not only no longer watched: switched off, deleted, paused or forgotten. */
function hasRecovered(
  { kind, facts }: AlertState,
  { senders, destinations }: Snapshot,
  now: number,
): boolean {
  const uses = senders.filter(({ formId }) => formId === facts.formId);
  if (kind === 'sender_broken' || kind === 'silence') {
    const last = Date.parse(facts.lastAcceptedAt ?? '');
    return uses.some((use) => use.lastUsedAt > last && (!facts.surface || surfaceOf(use) === facts.surface));
  }
  if (kind === 'clock_drift') return uses.some(({ lastUsedAt }) => now - lastUsedAt <= DAY);
  if (kind === 'rotation_ending') return now < Date.parse(facts.endsAt ?? '');
  if (kind === 'destination_failing') {
    const destination = destinations.find(({ destinationId }) => destinationId === facts.destinationId);
    return destination?.status === 'active' && destination.failingSince === undefined;
  }
  return true;
}

function isEnabled({ kind }: AlertState, settings: AlertSettings): boolean {
  return settings[SETTING_OF[kind]].enabled;
}
