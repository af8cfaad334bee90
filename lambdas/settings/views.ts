import type { Alert } from '../alerts/alert.ts';
import { explainSignal } from '../scoring/signal-meanings.ts';
import type { ListedLead } from '../search/index-entry.ts';
import type { RelatedLeads } from '../search/related-leads.ts';
import { confirmationOf, type Destination, isAlertEvent, isStrained } from '../sending/destination.ts';
import { type Message, messageId } from '../sending/message.ts';
import type { DestinationHealth } from '../sending/retry-schedule.ts';
import type { Workspace } from '../submission/configuration.ts';
import { keptUntil } from '../submission/lead-item.ts';
import type { AnySurface } from '../submission/limits.ts';
import type { FormRecord, ListedForm } from './administration/forms-store.ts';
import type { TokenRecord } from './administration/tokens-store.ts';
import { Fault, text } from './fields.ts';
import { topLevelScalars } from './leads/lead-columns.ts';
import { summaryOf } from './leads/lead-row.ts';
import type { WholeLead } from './leads/whole-leads-store.ts';
import type { Erasure } from './people/erase-person.ts';
import type { ListedSender } from './reviews/sender-list.ts';

/** What leaves the service. Attributes are listed one by one, so that new ones stay inside until listed. */

export interface WindowUse {
  readonly used: number;
  readonly limit: number;
  readonly endsAt: string;
}

export interface WorkspaceUsage {
  readonly workspaceId: string;
  readonly name: string;
  readonly status: Workspace['status'];
  readonly surfaces: readonly {
    readonly surface: AnySurface;
    readonly minute: WindowUse;
    readonly day: WindowUse;
  }[];
}

export function webhookUrl(ingestUrl: string, slug: string): string {
  return `${ingestUrl}/api/v1/ingest/${encodeURIComponent(slug)}`;
}

export function listedForm(form: ListedForm, ingestUrl: string) {
  const { formId, name, slug, active, createdAt, archivedAt } = form;
  return { formId, name, slug, url: webhookUrl(ingestUrl, slug), active, createdAt, archivedAt };
}

export function wholeForm(form: FormRecord, ingestUrl: string) {
  const fields = (form.fields ?? []).map(({ key, label, role }) => ({ key, label, role }));
  const { retentionDays = null, browser } = form;
  const { enabled = false, origins = [] } = browser ?? {};
  return { ...listedForm(form, ingestUrl), fields, retentionDays, browser: { enabled, origins } };
}

/** A lead in the workspace's list. What is not known is absent. */
export function listedLead(lead: ListedLead) {
  const { leadId: submissionId, formId, receivedAt, surface, score, grade, clean } = lead;
  const { enrichment, test, name, company, email, phone } = lead;
  const known = { submissionId, formId, receivedAt, surface, score, grade, clean, enrichment };
  return { ...known, ...(test && { test }), name, company, email, phone };
}

/** The other leads of a person. `email` is the lead's own: by it, everything of the person is exported and erased. */
export function relatedView({ leads, more }: RelatedLeads, email: string | undefined) {
  return {
    ...(email !== undefined && { email }),
    leads: leads.map(({ sameEmail, samePhone, ...lead }) => ({ ...listedLead(lead), sameEmail, samePhone })),
    more,
  };
}

export function erasureView({ erased, complete }: Erasure, cursor: string | undefined) {
  return {
    erased: erased.map(({ leadId: submissionId, formId, receivedAt }) => ({
      submissionId,
      formId,
      receivedAt,
    })),
    complete,
    ...(cursor !== undefined && { cursor }),
  };
}

export function listedToken(token: TokenRecord, lastUsedAt: string | undefined) {
  const { tokenId, formId, type, name, lastFour, createdAt, revokedAt } = token;
  return { tokenId, formId, type, name, lastFour, createdAt, lastUsedAt, revokedAt };
}

/** What owners may know about a form's secrets. The dates belong to the secrets. */
export interface SecretDates {
  readonly setAt: string;
  readonly previousEndsAtMilliseconds?: number;
}

/** When tokens and secrets were last used, to about a minute, by `token#<id>` and `secret#<form>#current|previous`. */
export type LastUses = ReadonlyMap<string, string>;

interface Known {
  /** Not there when the form has no secret. */
  readonly secret: SecretDates | undefined;
  readonly uses: LastUses;
  readonly ingestUrl: string;
  readonly nowMilliseconds: number;
}

/** What owners may know about a form's secrets: whether they exist, and when they were used. */
export function deliveryView({ formId, slug }: Pick<ListedForm, 'formId' | 'slug'>, known: Known) {
  const address = { formId, url: webhookUrl(known.ingestUrl, slug) };
  return { ...address, ...secretsView(formId, known) };
}

function secretsView(formId: string, { secret, uses, nowMilliseconds }: Omit<Known, 'ingestUrl'>) {
  if (secret?.setAt === undefined) return { secret: { isSet: false } };
  const { setAt, previousEndsAtMilliseconds: endsAt = 0 } = secret;
  const current = uses.get(`secret#${formId}#current`);
  const previous = uses.get(`secret#${formId}#previous`);
  // Uses are kept by role: what was used as the current secret before this one was set is the previous one's.
  const isOfThisSecret = (usedAt: string | undefined) => usedAt !== undefined && usedAt >= setAt;
  const beforeRotation = isOfThisSecret(current) ? undefined : current;
  return {
    secret: { isSet: true, setAt, lastUsedAt: isOfThisSecret(current) ? current : undefined },
    ...(nowMilliseconds < endsAt && {
      previousSecret: {
        worksUntil: new Date(endsAt).toISOString(),
        lastUsedAt: isOfThisSecret(previous) ? previous : beforeRotation,
      },
    }),
  };
}

/** A complete lead. The body is the text as sent: re-serialized, numbers would lose digits. */
export function wholeLead({ lead, state, enrichment }: WholeLead) {
  // What the owner called spam may have been enriched before.
  const { leadId: _leadId, state: _state, ...findings } = (state !== 'skipped' && enrichment) || {};
  return {
    ...summaryOf(lead, state, topLevelScalars(lead.body)),
    formId: lead.formId,
    ...(lead.expiresAt !== undefined && { keptUntil: keptUntil(lead.expiresAt) }),
    ...(lead.scoredClean !== undefined && { scoredClean: lead.scoredClean }),
    signals: lead.signals.map((signal) => ({
      name: signal.name,
      weight: signal.weight,
      explanation: explainSignal(signal),
    })),
    body: lead.body,
    enrichment: { state, ...findings },
  };
}

export function listedSender({ sender, status, addedAt, leadId }: ListedSender) {
  return { sender, status, addedAt, submissionId: leadId };
}

const anyText = text({ min: 16, max: 200 });

/** A secret chosen by the owner. Surrounding white space is easily lost, and nobody would see why. */
export function ownSecret(value: unknown): string {
  const secret = anyText(value);
  if (secret.trim() !== secret) throw new Fault('must have no white space around it');
  return secret;
}

/** What leaves the service. Attributes are listed one by one: a signing secret or Slack URL is never among them. */
export function destinationView(
  destination: Destination,
  health: DestinationHealth | undefined,
  nowMilliseconds: number,
) {
  const { destinationId, kind, name, url, urlEnd, email, events, forms, onlyClean, includeFields } =
    destination;
  const { status, disabledReason, disabledAt, createdAt, secretSetAt, previousSecretWorksUntil } =
    destination;
  return {
    destinationId,
    kind,
    name,
    url,
    urlEnd,
    email,
    confirmation: confirmationOf(destination),
    confirmationSentAt: destination.askedAt,
    events,
    forms,
    onlyClean,
    includeFields,
    status,
    disabledReason,
    disabledAt,
    createdAt,
    secretSetAt,
    ...(Date.parse(previousSecretWorksUntil ?? '') > nowMilliseconds && { previousSecretWorksUntil }),
    health: healthView(destination, health),
  };
}

interface HealthView {
  readonly state: 'ok' | 'failing' | 'unreachable';
  readonly failingSince?: string | undefined;
  /** Its messages use the slow lane. */
  readonly slowSince?: string | undefined;
}

/** `unreachable`: messages wait until a probe succeeds. `failing`: the last attempts failed. */
function healthView(destination: Destination, health: DestinationHealth = {}): HealthView {
  const { failingSince, openedAt, strainedAt = destination.slowStartAt } = health;
  const slow = isStrained(destination, health) ? { slowSince: strainedAt } : {};
  if (openedAt !== undefined) return { state: 'unreachable', failingSince, ...slow };
  return { ...(failingSince === undefined ? { state: 'ok' } : { state: 'failing', failingSince }), ...slow };
}

export function messageView(message: Message) {
  const { destinationId, type, leadId, formId, status, createdAt, nextAttemptAt, answerExcerpt } = message;
  const isAlert = isAlertEvent(type);
  return {
    messageId: messageId(message),
    destinationId,
    type,
    submissionId: isAlert ? undefined : leadId,
    alertId: isAlert ? leadId : undefined,
    formId,
    status,
    createdAt,
    attempts: message.attempts.map(({ at, milliseconds, status: answered, error }) => ({
      at,
      milliseconds,
      status: answered,
      error,
    })),
    nextAttemptAt,
    answerExcerpt,
  };
}

export function alertView({ alertId, kind, since, openedAt, closedAt, outcome, ...alert }: Alert) {
  const { facts, opened, closed } = alert;
  const { formId, surface, destinationId } = facts;
  return {
    alertId,
    kind,
    status: closedAt === undefined ? ('open' as const) : ('closed' as const),
    since,
    openedAt,
    closedAt,
    outcome,
    title: opened.title,
    text: opened.lines.join('\n'),
    closedTitle: closed?.title,
    closedText: closed?.lines.join('\n'),
    formId,
    surface,
    destinationId,
    facts,
  };
}
