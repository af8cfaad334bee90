import { LIMITS } from '../../submission/limits.ts';
import { signatureOf } from '../../submission/signed-request.ts';
import type { FormRecord } from '../administration/forms-store.ts';
import { Fault, object, optional, readFieldsIfAny } from '../fields.ts';
import { sampleLead, TEST_MARK } from '../leads/sample-lead.ts';
import { type OwnerRoute, route } from '../owner-pipeline.ts';
import { ok, Problem } from '../problem.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';
import { webhookUrl } from '../views.ts';
import type { Webhook, WebhookReply } from '../webhook-sender.ts';

function testLead(value: unknown): string {
  const lead = object(value);
  if (Object.hasOwn(lead, TEST_MARK) && lead[TEST_MARK] !== true) {
    throw new Fault('must be true, or left out: every test is marked by it', `.${TEST_MARK}`);
  }
  const text = markedAsTest(lead);
  if (Buffer.byteLength(text) > LIMITS.bodyBytes) {
    throw new Fault(`must have at most ${LIMITS.bodyBytes} bytes as JSON, the mark of a test included`);
  }
  return text;
}

function markedAsTest(lead: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...lead, [TEST_MARK]: true });
}

/** The text to send, if the owner has given one. */
export function readTestLead(body: unknown): string | undefined {
  return readFieldsIfAny(body, { body: optional(testLead) }).body;
}

export function sampleTestLead({ fields }: Pick<FormRecord, 'fields'>): string {
  return markedAsTest(sampleLead(fields));
}

/** Signed like a provider's request. No idempotency key: every test is a new lead. */
export function signTest(url: string, secret: string, bodyText: string, nowMilliseconds: number) {
  const timestamp = String(Math.floor(nowMilliseconds / 1000));
  const body = Buffer.from(bodyText);
  const headers = {
    'Content-Type': 'application/json',
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signatureOf(secret, timestamp, body).toString('hex'),
    'User-Agent': 'lead-ingest-test',
  };
  const webhook: Webhook = { url, headers, body };
  // The signature would be as good as the secret until its time runs out: the headers are told by their names.
  return { webhook, sent: { url, timestamp, headerNames: Object.keys(headers), bodyText } };
}

/** The outcome. An answer that neither endpoint gives came from something in between. */
export function outcomeOf(reply: WebhookReply | undefined) {
  if (!reply) return { outcome: 'unreachable' };
  const { status, requestId, text } = reply;
  const answer = readAnswer(text);
  if (status === 202 && typeof answer.submission_id === 'string') {
    return { outcome: 'accepted', submissionId: answer.submission_id, requestId, status };
  }
  const isRejection = status === 200 && answer.status === 'rejected';
  return { outcome: isRejection ? 'rejected' : 'unreachable', requestId, status };
}

function readAnswer(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

type Dependencies = Pick<SettingsDependencies, 'administrationOf' | 'webhooks' | 'ingestUrl' | 'now'>;

/** A real submission on Surface 1b, sent by us instead of a provider. */
export function testRoutes({ administrationOf, webhooks, ingestUrl, now }: Dependencies): OwnerRoute[] {
  return [
    route('POST /settings/forms/{formId}/test', async ({ workspaceId, body, parameter, signal }) => {
      const given = readTestLead(body);
      const administration = administrationOf(workspaceId);
      const form = await administration.form(parameter('formId'));
      if (form.archivedAt !== undefined) {
        throw new Problem('conflict', { detail: 'The form is archived and no longer accepts submissions.' });
      }
      const secret = (await administration.readSecret(form))?.secret;
      if (secret === undefined) {
        throw new Problem('conflict', {
          detail: 'The form has no webhook secret to sign with. Set one first.',
        });
      }
      const startedAt = now();
      const url = webhookUrl(ingestUrl, form.slug);
      const { webhook, sent } = signTest(url, secret, given ?? sampleTestLead(form), startedAt);
      const reply = await webhooks.post(webhook, signal);
      return ok({ sent, ...outcomeOf(reply), milliseconds: now() - startedAt });
    }),
  ];
}
