import { createHmac } from 'node:crypto';
import type { Enrichment } from '../enrichment/enrichment-item.ts';
import { fieldsOfLead, fieldsTextOf } from '../model/lead-fields.ts';
import type { Lead } from '../model/lead-item.ts';
import type { MessageType } from './message.ts';

/** What a message is made of. Everything in it is stored, so the body under one id changes only if a review changes `clean`. */
export interface MessageContent {
  readonly type: MessageType;
  /** When the event happened. */
  readonly at: string;
  readonly submissionId: string;
  readonly formId: string | undefined;
  /** Absent once the lead is erased. */
  readonly lead?: Lead | undefined;
  /** Only with `lead.enriched`. */
  readonly enrichment?: Enrichment | undefined;
  /** Only with `alert.opened` and `alert.closed`. */
  readonly alert?: AlertContent | undefined;
}

/** A stored alert. Its texts were written when it was opened and closed. */
export interface AlertContent {
  readonly alertId: string;
  readonly kind: string;
  readonly since: string;
  readonly openedAt: string;
  readonly closedAt?: string | undefined;
  readonly outcome?: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly opened: { readonly title: string; readonly lines: readonly string[] };
  readonly closed?: { readonly title: string; readonly lines: readonly string[] } | undefined;
}

/** The body of a webhook, as docs/destinations.md describes it. */
export function webhookBody({
  type,
  at,
  submissionId,
  formId,
  lead,
  enrichment,
  alert,
}: MessageContent): string {
  if (alert) return JSON.stringify({ type, timestamp: at, data: { alert: alertView(alert, type) } });
  const { receivedAt, score, clean, signals, test } = lead ?? {};
  const facts = JSON.stringify({
    submissionId,
    formId,
    receivedAt,
    score,
    clean,
    test,
    signals: signals?.map(({ name, weight }) => ({ name, weight })),
    ...(type === 'lead.enriched' && enrichment && { enrichment: enrichmentView(enrichment) }),
  });
  // The fields' text as it was sent: parsed and written again, long numbers would lose digits.
  const leadText = lead ? `${facts.slice(0, -1)},"fields":${fieldsText(lead)}}` : facts;
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at)},"data":{"lead":${leadText}}}`;
}

/** As it was when it was opened, or when it was closed: a retried message has the same body. */
function alertView({ opened, closed, closedAt, outcome, ...alert }: AlertContent, type: MessageType) {
  const { alertId, kind, since, openedAt, facts } = alert;
  const text = type === 'alert.closed' && closed ? { closedAt, outcome, ...closed } : opened;
  const { title, lines, ...ending } = { closedAt: undefined, outcome: undefined, ...text };
  return { alertId, kind, since, openedAt, ...ending, title, text: lines.join('\n'), facts };
}

function enrichmentView({ state, facts, enrichedAt, ...rest }: Enrichment) {
  return { state, enrichedAt, facts, incomplete: 'incomplete' in rest ? rest.incomplete : undefined };
}

/** A damaged body must not make the whole message unreadable. */
function fieldsText(lead: Lead): string {
  return fieldsOfLead(lead) ? fieldsTextOf(lead) : '{}';
}

/** The lead of a test message. Nothing in it belongs to a person. */
export function testMessageLead(submissionId: string, at: string): Lead {
  return {
    leadId: submissionId,
    workspaceId: '',
    formId: 'form_test',
    surface: '1a',
    receivedAt: at,
    score: 90,
    clean: true,
    grade: 'A',
    signals: [],
    body: JSON.stringify({
      name: 'Ada Byron',
      company: 'Analytical Engines',
      email: 'ada.byron@example.com',
      message: 'This is a test message.',
    }),
  };
}

const PREFIX = 'whsec_';

/** As Standard Webhooks defines secrets: unlike the secrets of forms, the key is the decoded base64. */
export function makeSigningSecret(random: Uint8Array): string {
  return PREFIX + Buffer.from(random).toString('base64');
}

export const SIGNING_SECRET_BYTES = 32;

export interface SignedContent {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** The headers of https://www.standardwebhooks.com. While a secret is being rotated there are two signatures. */
export function webhookHeaders({ id, timestampSeconds, body }: SignedContent, secrets: readonly string[]) {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
