import { debugSignature, readSignedRequest } from '../debugger/explain-signature.ts';
import { LIMITS, TEST_MARK } from '../model/limits.ts';
import { signatureOf } from '../model/request-signature.ts';
import {
  Fault,
  object,
  optional,
  readFields,
  readFieldsIfAny,
  text,
  wholeNumber,
} from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import type { OwnerRequest } from '../owner-api/owner-request.ts';
import { created, ok, Problem } from '../owner-api/problem.ts';
import { providerView } from './form-provider.ts';
import type { FormRecord } from './forms-store.ts';
import { sampleLead } from './sample-lead.ts';
import { deliveryView, webhookUrl } from './views.ts';
import type { Webhook, WebhookReply } from './webhook-sender.ts';
import type { WorkspaceRouteDependencies } from './workspace-routes.ts';

const anyText = text({ min: 16, max: 200 });

/** A secret chosen by the owner. Surrounding white space is easily lost, and nobody would see why. */
export function ownSecret(value: unknown): string {
  const secret = anyText(value);
  if (secret.trim() !== secret) throw new Fault('must have no white space around it');
  return secret;
}

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const ROTATION = { graceSeconds: optional(wholeNumber({ min: 0, max: WEEK_SECONDS })) };

export async function showDelivery(
  { administrationOf, lastUses, providerUses, ingestUrl, sourcesUrl, now }: WorkspaceRouteDependencies,
  { workspaceId, parameter, signal }: OwnerRequest,
) {
  const administration = administrationOf(workspaceId);
  const form = await administration.form(parameter('formId'));
  const [secret, uses, use] = await Promise.all([
    administration.readSecret(form),
    lastUses.read(workspaceId, `secret#${form.formId}#`, signal),
    form.provider ? providerUses.read(workspaceId, form.formId, signal) : {},
  ]);
  const known = { secret, nowMilliseconds: now() };
  return ok({
    ...deliveryView(form, { ...known, uses, ingestUrl }),
    provider: providerView(form, { ...known, use, sourcesUrl }),
  });
}

/** How a provider proves that a webhook is its own: the form's address, its secret, and what went wrong. */
export function deliveryRoutes(dependencies: WorkspaceRouteDependencies): OwnerRoute[] {
  const { administrationOf, secretDates, lastUses, usage, ingestUrl, now } = dependencies;

  return [
    route('listDeliveries', async ({ workspaceId, query, signal }) => {
      readFields(query, {});
      const [forms, uses] = await Promise.all([
        administrationOf(workspaceId).listForms(),
        lastUses.read(workspaceId, 'secret#', signal),
      ]);
      const secrets = await secretDates.read(forms, signal);
      const known = { uses, ingestUrl, nowMilliseconds: now() };
      return ok({
        deliveries: forms.map((form, index) => deliveryView(form, { ...known, secret: secrets[index] })),
      });
    }),

    route('getDelivery', async (request) => {
      readFields(request.query, {});
      return showDelivery(dependencies, request);
    }),

    route('setSecret', async ({ workspaceId, body, parameter }) => {
      const given = readFieldsIfAny(body, { secret: optional(ownSecret) });
      const { formId, secret } = await administrationOf(workspaceId).setSecret({
        formId: parameter('formId'),
        ...(given.secret !== undefined && { secret: given.secret }),
      });
      // A secret is shown once, and only if we generated it: an owner who chose one knows it.
      return ok({ formId, ...(given.secret === undefined && { secret }) });
    }),

    route('rotateSecret', async ({ workspaceId, body, parameter }) => {
      const { graceSeconds = 0 } = readFieldsIfAny(body, ROTATION);
      const { formId, secret, previousWorksUntil } = await administrationOf(workspaceId).rotateSecret({
        formId: parameter('formId'),
        graceMilliseconds: graceSeconds * 1000,
      });
      return created({ formId, secret, previousWorksUntil });
    }),

    route('endGrace', async (request) => {
      readFields(request.query, {});
      await administrationOf(request.workspaceId).endGrace(request.parameter('formId'));
      return showDelivery(dependencies, request);
    }),

    route('debugSignature', async (request) => {
      const signed = readSignedRequest(request.body);
      const administration = administrationOf(request.workspaceId);
      const form = await administration.form(request.parameter('formId'));
      const [secret, others, workspace] = await Promise.all([
        administration.readSecret(form),
        administration.otherSecrets(form, request.signal),
        usage.read(request.workspaceId, request.signal),
      ]);
      return ok(debugSignature(signed, { form, secret, others, workspace }, now()));
    }),
  ];
}

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

/** The outcome. A response that neither endpoint returns came from something in between. */
export function outcomeOf(reply: WebhookReply | undefined) {
  if (!reply) return { outcome: 'unreachable' };
  const { status, requestId, text } = reply;
  const response = readResponse(text);
  if (status === 202 && typeof response.submission_id === 'string') {
    return { outcome: 'accepted', submissionId: response.submission_id, requestId, status };
  }
  const isRejection = status === 200 && response.status === 'rejected';
  return { outcome: isRejection ? 'rejected' : 'unreachable', requestId, status };
}

function readResponse(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A real submission on Surface 1b, sent by us instead of a provider. */
export function testRoutes({
  administrationOf,
  webhooks,
  ingestUrl,
  now,
}: WorkspaceRouteDependencies): OwnerRoute[] {
  return [
    route('sendTest', async ({ workspaceId, body, parameter, signal }) => {
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
