import { createHmac } from 'node:crypto';
import type { Enrichment } from '../enrichment/enrichment-item.ts';
import { fieldsOfLead, fieldsTextOf } from '../model/lead-fields.ts';
import type { Lead } from '../model/lead-item.ts';
import { readLead } from '../scoring/lead-text.ts';
import type { Destination } from './destination.ts';
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

/** What a short message for people needs besides the lead. */
export interface ReadableContext {
  readonly formName: string | undefined;
  /** Where the owner can read the lead. */
  readonly consoleUrl: string | undefined;
  readonly includeFields: Destination['includeFields'];
}

const MAX_FIELDS = 30;
const MAX_KEY_LENGTH = 60;
const MAX_VALUE_LENGTH = 600;

const HEADLINES: Readonly<Record<MessageType, string>> = {
  'lead.accepted': 'New lead',
  'lead.enriched': 'Lead enriched',
  'lead.erased': 'Lead erased',
  'alert.opened': 'Alert',
  'alert.closed': 'Alert closed',
  'destination.test': 'Test message',
};

/** One short message. It contains the lead's values only if the owner chose so. */
export function readableMessage(content: MessageContent, context: ReadableContext) {
  const { type, lead, submissionId, formId, alert } = content;
  const { formName = formId, consoleUrl, includeFields } = context;
  if (alert) {
    const { title, lines } = (type === 'alert.closed' && alert.closed) || alert.opened;
    return {
      subject: oneLine(title),
      lines: [
        ...lines.map((line) => oneLine(line)),
        ...(consoleUrl === undefined ? [] : [`${consoleUrl}/alerts?alert=${alert.alertId}`]),
      ],
    };
  }
  const subject = formName === undefined ? HEADLINES[type] : `${HEADLINES[type]}: ${oneLine(formName)}`;
  const lines = [
    ...(lead ? [`Score ${lead.score}, ${lead.clean ? 'clean' : 'not clean'}`] : []),
    ...(lead?.test ? ['Sent in the provider’s test mode'] : []),
    ...(type === 'destination.test' ? ['This destination works.'] : []),
    `Submission ${submissionId}`,
    ...(lead && consoleUrl !== undefined && type !== 'destination.test'
      ? [`${consoleUrl}/forms/${lead.formId}/leads/${submissionId}`]
      : []),
    ...(lead && includeFields ? fieldLines(lead) : []),
  ];
  return { subject, lines };
}

/** Last, under a heading and with a quote mark each: no key and no value can look like a line of ours. */
function fieldLines(lead: Lead): string[] {
  const entries = readLead(fieldsOfLead(lead) ?? {}).slice(0, MAX_FIELDS);
  if (entries.length === 0) return [];
  const quoted = entries.map(
    ({ key, value }) => `> ${withoutLinks(oneLine(key, MAX_KEY_LENGTH))}: ${withoutLinks(oneLine(value))}`,
  );
  return ['Sent by the visitor:', ...quoted];
}

/** No line breaks and no control characters. */
function oneLine(text: string, longest = MAX_VALUE_LENGTH): string {
  const characters = [...text.replace(/[\s\p{C}]+/gu, ' ').trim()];
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('');
}

const EMAIL_ADDRESS = /(?<![^\s<("'])[\w.%+'-]+@[\w-]+(?:\.[\w-]+)+(?![^\s>)"',;.!?])/u;
/** The colon of a scheme, dots of a host name, and what browsers take for such a dot. */
const LINK_PART = /:(?=\/\/)|(?<=[^\s.])\.(?=\p{L}{2})|(?<=[a-z\d-])[\u3002\uff0e\uff61](?=[a-z]{2})/u;
const LINK_PARTS = new RegExp(`${EMAIL_ADDRESS.source}|${LINK_PART.source}`, 'giu');

/**
 * Slack and mail programs make links of bare URLs and host names. As `https[:]//example[.]com` they stay text. Email
 * addresses stay as they are: people reply to them.
 */
function withoutLinks(line: string): string {
  return line.replace(LINK_PARTS, (part) => (part.includes('@') ? part : `[${part}]`));
}

/** Slack gives these three characters a meaning: https://api.slack.com/reference/surfaces/formatting#escaping */
export function slackBody({ subject, lines }: ReturnType<typeof readableMessage>): string {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const text = [`*${escaped(subject)}*`, ...lines.map(escaped)].join('\n');
  // Without previews: Slack's servers would open what a link points to.
  return JSON.stringify({ text, unfurl_links: false, unfurl_media: false });
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
    body: '{"name":"Test Lead","email":"test@example.com","message":"This is a test message."}',
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
