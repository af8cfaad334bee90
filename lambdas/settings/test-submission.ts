import { LIMITS } from '../core/limits.ts';
import { sampleLead } from '../core/owner/sample-lead.ts';
import { TEST_MARK } from '../core/owner/test-mark.ts';
import { signatureOf } from '../core/signature.ts';
import { Fault, object, optional, readFieldsIfAny } from '../middleware/settings/fields.ts';
import type { FormRecord } from '../stores/administration/forms.ts';
import type { Webhook, WebhookReply } from '../stores/owner/webhook-sender.ts';

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

/** Signed as a provider signs it. No idempotency key: every test is to be a lead of its own. */
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

/** What came of it. Whatever neither endpoint would answer came from something in between. */
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
