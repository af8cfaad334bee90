import { fromLeadItem } from '../../model/lead-item.ts';
import { type MessageContent, testMessageLead, webhookBody, webhookHeaders } from '../compose-message.ts';
import type { Destination, DestinationSecret } from '../destination.ts';
import { mailMessage } from '../mail-message.ts';
import { type MessageKey, messageId } from '../message.ts';
import type { OutboundResult, PostRequest } from '../outbound-http.ts';
import { readableMessage } from '../readable-message.ts';
import { slackBody } from '../slack-blocks.ts';
import type { SendingContext, SendingReader } from './read-for-sending-store.ts';
import type { RecipientMailer } from './recipient-mailer.ts';

export interface TransmitDependencies {
  readonly post: PostRequest;
  /** Absent unless the deployer configured a sender. */
  readonly mailer: RecipientMailer | undefined;
  readonly reader: Pick<SendingReader, 'form'>;
  readonly consoleUrl: string | undefined;
  readonly now: () => number;
}

export interface Transmission {
  readonly key: MessageKey;
  readonly destination: Destination;
  readonly secret: DestinationSecret | undefined;
  readonly content: MessageContent;
}

/** Sends one message in the way of its destination's kind. What goes wrong is a result, not an exception. */
export async function transmit(
  { key, destination, secret, content }: Transmission,
  dependencies: TransmitDependencies,
  signal: AbortSignal,
): Promise<OutboundResult> {
  const { post, mailer, now } = dependencies;
  if (destination.kind === 'webhook') {
    const body = webhookBody(content);
    const secrets = liveSecrets(secret, now());
    if (secrets.length === 0 || destination.url === undefined) return { error: 'not_configured' };
    const signed = { id: messageId(key), timestampSeconds: Math.floor(now() / 1000), body };
    const headers = { ...COMMON_HEADERS, ...webhookHeaders(signed, secrets) };
    return post({ url: destination.url, headers, body }, signal);
  }
  const readable = await describe(destination, content, dependencies, signal);
  if (destination.kind === 'slack') {
    if (secret?.slackUrl === undefined) return { error: 'not_configured' };
    return post({ url: secret.slackUrl, headers: COMMON_HEADERS, body: slackBody(readable) }, signal);
  }
  if (!mailer || destination.email === undefined) return { error: 'not_configured' };
  return mailer.send(destination, mailMessage(readable), signal);
}

const COMMON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'lead-ingest' } as const;

/** Two while the owner rotates: receivers accept either. */
function liveSecrets(secret: DestinationSecret | undefined, nowMilliseconds: number): string[] {
  const { signingSecret, previousSecret, previousEndsAtMilliseconds = 0 } = secret ?? {};
  return [
    ...(signingSecret === undefined ? [] : [signingSecret]),
    ...(previousSecret !== undefined && nowMilliseconds < previousEndsAtMilliseconds ? [previousSecret] : []),
  ];
}

/** Of a test message. */
const SAMPLE_FORM = {
  name: 'Sample form',
  fields: ['Name', 'Company', 'Email', 'Message'].map((label) => ({ key: label.toLowerCase(), label })),
};

async function describe(
  { workspaceId, includeFields }: Destination,
  content: MessageContent,
  { reader, consoleUrl }: TransmitDependencies,
  signal: AbortSignal,
) {
  const { formId, type } = content;
  const isNamed = formId !== undefined && type.startsWith('lead.');
  const sample = type === 'destination.test' ? SAMPLE_FORM : undefined;
  const form = isNamed ? await reader.form(workspaceId, formId, signal) : sample;
  return readableMessage(content, { form, consoleUrl, includeFields });
}

/** Undefined if there is nothing to send any more: the lead, its enrichment or the alert is gone. */
export function contentOf(
  { leadId, type }: MessageKey,
  task: { readonly formId?: string | undefined; readonly at: string },
  {
    leadItem,
    enrichment,
    alert,
    message,
  }: Pick<SendingContext, 'leadItem' | 'enrichment' | 'alert' | 'message'>,
): MessageContent | undefined {
  const at = message?.createdAt ?? task.at;
  const formId = message?.formId ?? task.formId;
  if (type === 'lead.erased') return { type, at, submissionId: leadId, formId };
  if (type === 'alert.opened' || type === 'alert.closed') {
    const happenedAt = type === 'alert.closed' ? alert?.closedAt : alert?.openedAt;
    return alert && { type, at: happenedAt ?? at, submissionId: leadId, formId, alert };
  }
  if (type === 'destination.test') {
    return { type, at, submissionId: leadId, formId: 'form_test', lead: testMessageLead(leadId, at) };
  }
  if (!leadItem || (type === 'lead.enriched' && !enrichment)) return undefined;
  const lead = fromLeadItem(leadItem);
  return {
    type,
    // From what is stored, so that a repeated or replayed event has the same body.
    at: type === 'lead.enriched' && enrichment ? enrichment.enrichedAt : lead.receivedAt,
    submissionId: leadId,
    formId: lead.formId,
    lead,
    enrichment,
  };
}
