import type { FormSecret } from '../model/configuration.ts';
import { type ParsedBody, parseJsonObject } from '../model/lead-body.ts';
import type { LeadFields, LeadRoles } from '../model/lead-fields.ts';
import { LIMITS } from '../model/limits.ts';
import { Rejection } from '../model/reasons.ts';
import { AdministrationError, InvalidField } from '../owner-api/errors.ts';
import { findRoles } from '../scoring/roles.ts';
import { scoreLead } from '../scoring/score-lead.ts';
import { explainSignal } from '../scoring/signal-words.ts';
import { problemOfChoice } from '../sources/choose-provider.ts';
import { canBeReplayed, PROVIDERS, type Provider } from '../sources/providers.ts';
import { readDelivery } from '../sources/read-delivery.ts';
import { fieldsOf } from '../sources/shapes.ts';
import type { FormChanges, FormRecord } from './forms-store.ts';
import type { ProviderUse } from './usage-store.ts';

type ProvidedForm = Pick<FormRecord, 'formId' | 'slug' | 'provider' | 'fields'>;

/** Throws if the form has not chosen one. */
export function providerOf({ formId, provider }: Pick<ProvidedForm, 'formId' | 'provider'>): Provider {
  const row = PROVIDERS.get(provider?.name ?? '');
  if (row) return row;
  throw new AdministrationError('conflict', `Form ${formId} has no provider. Choose one first.`);
}

export function requireChoice(provider: FormChanges['provider']): void {
  const found = provider ? problemOfChoice(provider.name, provider.events) : undefined;
  if (found) throw new InvalidField(`provider.${found.at}`, found.problem);
}

/** A row of the table, as far as it concerns owners. */
export function listedProvider(provider: Provider) {
  const { name, displayName, signature, time, secret, events, failingWebhook, untested = false } = provider;
  return {
    name,
    displayName,
    signatureHeader: signature.header,
    maxAgeSeconds: time?.maxAgeSeconds,
    secret: { madeBy: secret.madeBy, minCharacters: secret.minCharacters },
    ...(events && { events: { choices: events.choices, defaults: events.defaults } }),
    failingWebhook,
    canBeReplayed: canBeReplayed(provider),
    untested,
  };
}

interface Known {
  readonly sourcesUrl: string;
  readonly secret: FormSecret | undefined;
  readonly nowMilliseconds: number;
  readonly use: ProviderUse;
}

/** For tools, which name the form by a server token. */
export function toolUrl(sourcesUrl: string): string {
  return `${sourcesUrl}/sources/v1`;
}

export function sourceUrl(sourcesUrl: string, slug: string): string {
  return `${toolUrl(sourcesUrl)}/${encodeURIComponent(slug)}`;
}

/** How deliveries of the form's provider arrive. Undefined if it has none. */
export function providerView({ slug, provider }: ProvidedForm, known: Known) {
  const row = PROVIDERS.get(provider?.name ?? '');
  if (!provider || !row) return undefined;
  const { name, events = row.events?.defaults ?? [], chosenAt = '' } = provider;
  const { secret, sourcesUrl, nowMilliseconds } = known;
  const { lastUsedAt, lastIgnoredAt, lastRejection } = known.use;
  const graceEnd = secret?.previousProviderSecretUntil ?? 0;
  return {
    name,
    events,
    url: sourceUrl(sourcesUrl, slug),
    secretSet: secret?.providerSecret !== undefined,
    ...(nowMilliseconds < graceEnd && { previousWorksUntil: new Date(graceEnd).toISOString() }),
    // What came before is another provider's.
    ...(lastUsedAt !== undefined && lastUsedAt >= chosenAt && { lastUsedAt }),
    ...(lastIgnoredAt !== undefined && lastIgnoredAt >= chosenAt && { lastIgnoredAt }),
    ...(lastRejection && lastRejection.at >= chosenAt && { lastRejection }),
  };
}

function readExample(text: string): ParsedBody {
  const bytes = Buffer.from(text);
  if (bytes.length > LIMITS.bodyBytes) {
    throw new InvalidField('body', `must have at most ${LIMITS.bodyBytes} bytes`);
  }
  try {
    return parseJsonObject(bytes);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const problem = error.reason === 'body_not_object' ? 'must be a JSON object' : 'must be JSON';
    throw new InvalidField('body', problem);
  }
}

/** What a payload that an owner pasted would become, without storing anything. */
export function previewDelivery(form: ProvidedForm, example: string) {
  const provider = providerOf(form);
  const payload = readExample(example);
  const delivery = readDelivery(provider, payload, form.provider?.events);
  const { kind, event, test } = delivery;
  const what = { outcome: kind, ...(event !== undefined && { event }), test };
  if (delivery.kind === 'ignored') return { ...what, because: delivery.because };
  const mapped = fieldsOf(provider, payload);
  const { fields, text } = mapped ?? payload;
  const { score, grade, clean, signals } = scoreLead(fields, form.fields);
  return {
    ...what,
    mapped: mapped !== undefined,
    fields: text,
    roles: keysOfRoles(fields, form),
    score,
    grade,
    clean,
    signals: signals.map((signal) => ({
      name: signal.name,
      weight: signal.weight,
      explanation: explainSignal(signal),
    })),
  };
}

/** Which field has which role. */
function keysOfRoles(fields: LeadFields, { fields: configuration }: ProvidedForm): LeadRoles {
  const found = Object.entries(findRoles(fields, configuration));
  return Object.fromEntries(found.flatMap(([role, field]) => (field ? [[role, field.key]] : [])));
}
