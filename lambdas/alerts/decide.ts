import type { AlertEventType } from '../sending/destination.ts';
import {
  type Alert,
  type AlertFacts,
  type AlertOutcome,
  type AlertSettings,
  alertKey,
  type Finding,
  SETTING_OF,
} from './alert.ts';
import { isSameInlet, OLD_SECRET_UNUSED, worstClock } from './rules.ts';
import { DAY, isPreviousSecret, MINUTE, type Snapshot, surfaceOf } from './snapshot.ts';

/** The newest incident of a kind and subject, open or closed. */
export type AlertState = Pick<
  Alert,
  'alertId' | 'kind' | 'subject' | 'since' | 'openedAt' | 'closedAt' | 'facts'
> & {
  /** Events that may not have been announced yet. */
  readonly pending?: readonly AlertEventType[] | undefined;
};

/** Why an alert ended without a recovery. */
export type EndCause = 'form' | 'settings' | 'other';

export interface Closing {
  readonly state: AlertState;
  readonly outcome: AlertOutcome;
  readonly cause: EndCause;
}

export interface Decisions {
  readonly open: readonly Finding[];
  readonly close: readonly Closing[];
}

export interface DecisionContext {
  readonly settings: AlertSettings;
  readonly snapshot: Snapshot;
  /** Whether the form of an alert is archived or switched off. */
  readonly isFormOff: (state: AlertState) => boolean;
  readonly now: number;
}

/** What to open and what to close, so that one incident is one message and one more when it is over. */
export function decide(
  findings: readonly Finding[],
  states: readonly AlertState[],
  { settings, snapshot, isFormOff, now }: DecisionContext,
): Decisions {
  const found = new Map(findings.map((finding) => [alertKey(finding), finding]));
  const known = new Map(states.map((state) => [alertKey(state), state]));
  const open = [...found.values()].filter((finding) => {
    const state = known.get(alertKey(finding));
    if (!state) return true;
    return state.closedAt !== undefined && now - Date.parse(state.closedAt) >= settings.quietMinutes * MINUTE;
  });
  // A graver alert in its quiet period is not open, and cannot take the place of another.
  const standing = findings.filter(
    (finding) => open.includes(finding) || known.get(alertKey(finding))?.closedAt === undefined,
  );
  const close = states
    // A repeated event is older than what a later run has opened since.
    .filter(
      (state) =>
        state.closedAt === undefined && !found.has(alertKey(state)) && Date.parse(state.openedAt) <= now,
    )
    .filter((state) => !isSuperseded(state, findings) || isSuperseded(state, standing))
    .map((state) => ({ state, ...endOf(state) }));
  return { open, close };

  function endOf(state: AlertState): Omit<Closing, 'state'> {
    if (isSuperseded(state, findings)) return { outcome: 'superseded', cause: 'other' };
    if (isFormOff(state)) return { outcome: 'ended', cause: 'form' };
    if (!isEnabled(state, settings)) return { outcome: 'ended', cause: 'settings' };
    if (hasRecovered(state, snapshot, now)) return { outcome: 'recovered', cause: 'other' };
    // The problem is as it was, so it is its threshold that has changed.
    return { outcome: 'ended', cause: isOver(state, snapshot, now) ? 'other' : 'settings' };
  }
}

/** A graver alert about the same thing takes the place of this one. */
function isSuperseded(state: AlertState, findings: readonly Finding[]): boolean {
  const { kind, subject, facts } = state;
  const isBroken = (each: Finding) => each.kind === 'sender_broken' && each.facts.problem === undefined;
  if (kind === 'silence' || kind === 'rotation_ending' || kind === 'clock_drift') {
    return findings.some((each) => (isBroken(each) || each.kind === kind) && isSameInlet(each, state));
  }
  if (kind === 'sender_broken' && facts.problem !== undefined) {
    return findings.some((each) => isBroken(each) && isSameInlet(each, state));
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
  // Nothing was refused for a day.
  if (kind === 'sender_broken' && facts.problem !== undefined) return true;
  if (kind === 'sender_broken' || kind === 'silence') {
    const last = Date.parse(facts.lastAcceptedAt ?? '');
    return uses.some((use) => use.lastUsedAt > last && (!facts.surface || surfaceOf(use) === facts.surface));
  }
  if (kind === 'clock_drift') {
    const clock = worstClock(uses);
    const isRecent = clock !== undefined && now - clock.lastUsedAt <= DAY;
    return isRecent && Math.abs(clock.skewSeconds ?? 0) < DRIFT_OVER_SECONDS;
  }
  if (kind === 'rotation_ending') return !hasEnded(facts, uses, now) && !isInUse(uses, now);
  if (kind === 'destination_failing') {
    const destination = destinations.find(({ destinationId }) => destinationId === facts.destinationId);
    if (destination?.status !== 'active') return false;
    return facts.problem === 'slow' || (destination.failingSince === undefined && !destination.untried);
  }
  return true;
}

/** Below this, a clock is right enough for every threshold that makes sense. */
const DRIFT_OVER_SECONDS = 100;

/** Whether the secret of a rotation works no longer, be it that its time was up or that its owner replaced or ended it. */
function hasEnded({ endsAt }: AlertFacts, uses: Snapshot['senders'], now: number): boolean {
  const announced = Date.parse(endsAt ?? '');
  const known = uses.find(isPreviousSecret)?.endsAt;
  return now >= announced || (known !== undefined && known !== announced);
}

function isInUse(uses: Snapshot['senders'], now: number): boolean {
  return uses.some((use) => isPreviousSecret(use) && now - use.lastUsedAt <= OLD_SECRET_UNUSED);
}

/** Whether there is nothing left to watch: the sender is gone, the secret has ended, the destination was stopped. */
function isOver({ kind, facts }: AlertState, { senders, destinations }: Snapshot, now: number): boolean {
  const uses = senders.filter(({ formId }) => formId === facts.formId);
  if (kind === 'clock_drift') return uses.every(({ lastUsedAt }) => now - lastUsedAt > DAY);
  if (kind === 'rotation_ending') return hasEnded(facts, uses, now);
  if (kind !== 'destination_failing') return true;
  const destination = destinations.find(({ destinationId }) => destinationId === facts.destinationId);
  return destination?.status !== 'active';
}

function isEnabled({ kind }: AlertState, settings: AlertSettings): boolean {
  return settings[SETTING_OF[kind]].enabled;
}
