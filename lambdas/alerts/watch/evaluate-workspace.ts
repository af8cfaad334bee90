import type { Outbox } from '../../aws/queues.ts';
import type { AlertEvent, AlertEventType } from '../../sending/destination.ts';
import { type Alert, type AlertFacts, alertKey, type Finding } from '../alert.ts';
import type { AlertStore, WatchState } from '../alerts-store.ts';
import { type Baseline, buildBaseline } from '../baseline.ts';
import { type AlertState, decide } from '../decide.ts';
import { describeClosed, describeOpened } from '../describe-alert.ts';
import { findProblems } from '../rules.ts';
import { DAY, formSurfaceOf, MINUTE, type SenderUse, type Snapshot, type Watch } from '../snapshot.ts';
import type { WatchedForm, WorkspaceFacts, WorkspaceReader } from './read-workspace-store.ts';

export interface EvaluationDependencies {
  readonly reader: WorkspaceReader;
  readonly store: AlertStore;
  readonly events: Outbox<AlertEvent>;
  readonly newAlertId: (nowMilliseconds: number) => string;
}

export interface EvaluationResult {
  readonly opened: number;
  readonly closed: number;
  readonly hasOpen: boolean;
}

/** Finds out what is wrong in one workspace, and opens and closes its alerts. */
export async function evaluateWorkspace(
  workspaceId: string,
  now: number,
  { reader, store, events, newAlertId }: EvaluationDependencies,
  signal: AbortSignal,
): Promise<EvaluationResult> {
  const known = await store.read(workspaceId, signal);
  for (const state of known.states.filter((each) => isLeftOver(each, now))) {
    await announce(state, state.pending ?? []);
  }
  const facts = await reader.facts(workspaceId, now, signal);
  if (!facts) return { opened: 0, closed: 0, hasOpen: false };

  const baselines = await freshBaselines(known, facts);
  const open = known.states.filter(({ closedAt }) => closedAt === undefined);
  const watch: Watch = {
    settings: known.settings,
    open: new Map(
      open.map((state) => [alertKey(state), { since: Date.parse(state.since), facts: state.facts }]),
    ),
    now,
  };
  const noted: Snapshot = { ...facts, baselines };
  if (findProblems(noted, watch).length === 0 && open.length === 0) {
    return { opened: 0, closed: 0, hasOpen: false };
  }

  const forms = await reader.forms(workspaceId, signal);
  const snapshot = { ...noted, senders: noted.senders.map((use) => withTrueEnd(use, forms)) };
  const findings = findProblems(snapshot, watch).filter((finding) => isWatched(finding, forms));
  const isFormOff = (state: AlertState) => !isWatched(state, forms);
  const decisions = decide(findings, known.states, { settings: known.settings, snapshot, isFormOff, now });
  const tokenNames = decisions.open.some(({ facts: { surface } }) => surface === '1a' || surface === '1c')
    ? await reader.tokenNames(workspaceId, signal)
    : new Map<string, string>();

  let [opened, closed] = [0, 0];
  for (const finding of decisions.open) {
    const named = { ...finding, facts: { ...finding.facts, ...namesOf(finding, forms, facts, tokenNames) } };
    const state = known.states.find((each) => alertKey(each) === alertKey(finding));
    const alert = toAlert(named, workspaceId, newAlertId(now), now);
    if (!(await store.open(alert, state, signal))) continue;
    opened += 1;
    await announce(alert, ['alert.opened']);
  }
  for (const closing of decisions.close) {
    const { state, outcome } = closing;
    const closedText = describeClosed(closing, now);
    const closedAt = new Date(now).toISOString();
    if (!(await store.close({ ...state, workspaceId, closedAt, outcome, closed: closedText }, state, signal)))
      continue;
    closed += 1;
    await announce(state, [
      ...(state.pending ?? []),
      ...(outcome === 'superseded' ? [] : (['alert.closed'] as const)),
    ]);
  }
  return { opened, closed, hasOpen: findings.length > 0 };

  /** Queued first, then noted: after a crash in between it is queued again. The send function ignores the repeat. */
  async function announce(
    of: Pick<AlertState, 'alertId' | 'kind' | 'subject' | 'facts'>,
    types: readonly AlertEventType[],
  ): Promise<void> {
    if (types.length === 0) return;
    const { formId, destinationId: aboutDestination } = of.facts;
    const at = new Date(now).toISOString();
    const refused = await events.send(
      types.map((type) => ({ type, workspaceId, formId, leadId: of.alertId, at, aboutDestination })),
    );
    if (refused.size > 0) throw new Error('SQS refused an alert');
    await store.announced(workspaceId, of, types, signal);
  }

  /** Rebuilt once a day. Without new leads a baseline is kept: there is nothing to learn from silence. */
  async function freshBaselines(
    { baselines: kept, builtAt }: WatchState,
    { senders }: WorkspaceFacts,
  ): Promise<ReadonlyMap<string, Baseline>> {
    if (builtAt !== undefined && now - builtAt < DAY && now >= builtAt) return kept;
    const history = await reader.history(workspaceId, now, signal);
    const rebuilt = [...history].flatMap(([formSurface, counts]) => {
      const isSilent = senders.every(
        (use) => formSurfaceOf(use) !== formSurface || now - use.lastUsedAt > DAY,
      );
      return isSilent && kept.has(formSurface) ? [] : (buildBaseline(formSurface, counts, now) ?? []);
    });
    await store.keepBaselines(workspaceId, rebuilt, now, signal);
    return new Map([...kept, ...rebuilt.map((baseline) => [baseline.formSurface, baseline] as const)]);
  }
}

/** Whether the evaluation that wrote it crashed before its message, and is not one that still runs. */
function isLeftOver({ openedAt, closedAt, pending = [] }: AlertState, now: number): boolean {
  return pending.length > 0 && Date.parse(closedAt ?? openedAt) <= now - MINUTE;
}

/** What a use says about the end of its secret was true then. The owner may have changed the secret since. */
function withTrueEnd(use: SenderUse, forms: ReadonlyMap<string, WatchedForm>): SenderUse {
  const changedAt = forms.get(use.formId)?.secretChangedAt ?? 0;
  return use.endsAt !== undefined && changedAt > use.lastUsedAt ? { ...use, endsAt: changedAt } : use;
}

/** No silence alerts for a form that is archived or switched off; rejected requests to it still open an alert. */
function isWatched(
  { kind, facts: { formId } }: Pick<Finding, 'kind' | 'facts'>,
  forms: ReadonlyMap<string, WatchedForm>,
): boolean {
  if (formId === undefined) return true;
  const form = forms.get(formId);
  return form !== undefined && !form.archived && (form.active || kind === 'sender_broken');
}

function namesOf(
  { subject, facts: { formId, surface } }: Finding,
  forms: ReadonlyMap<string, WatchedForm>,
  { senders }: WorkspaceFacts,
  tokenNames: ReadonlyMap<string, string>,
): AlertFacts {
  const formName = formId === undefined ? undefined : forms.get(formId)?.name;
  const tokens = senders.filter((use) => use.formId === formId && use.sender.startsWith('token#'));
  const sender = subject.startsWith('token#') ? subject : tokens.length === 1 ? tokens[0]?.sender : undefined;
  const tokenName =
    (surface === '1a' || subject.startsWith('token#')) && sender
      ? tokenNames.get(sender.slice('token#'.length))
      : undefined;
  return { ...(formName !== undefined && { formName }), ...(tokenName && { tokenName }) };
}

function toAlert(finding: Finding, workspaceId: string, alertId: string, now: number): Alert {
  const { kind, subject, since, facts } = finding;
  return {
    alertId,
    workspaceId,
    kind,
    subject,
    since: new Date(since).toISOString(),
    openedAt: new Date(now).toISOString(),
    facts,
    opened: describeOpened(finding),
  };
}
