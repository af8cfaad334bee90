import type { Request } from '@middy/core';
import type { Credential } from '../model/configuration.ts';
import { parseJsonObject } from '../model/lead-body.ts';
import { LIMITS } from '../model/limits.ts';
import { NEVER_ACCEPTABLE, Rejection } from '../model/reasons.ts';
import type { LastUse } from '../rejections/last-use-store.ts';
import { requireJsonContentType, requireSize } from '../submission/parse-body.ts';
import {
  type AuthenticatedSubmission,
  type HttpResponse,
  type ParsedSubmission,
  response,
  type Step,
} from '../submission/submission.ts';
import { PROVIDERS, type Provider } from './providers.ts';
import { readDelivery } from './read-delivery.ts';
import { fieldsOf } from './shapes.ts';

/** Delivered, as far as the provider is concerned, and no lead. */
const IGNORED: HttpResponse = response({ statusCode: 200, body: '{"status":"ignored"}' });

interface DeliveryOptions {
  readonly lastUse: LastUse;
}

/** Kept apart from the uses of a secret or token, which alerts take for leads. */
function notAsUse(credential: Credential, what: 'ignored' | 'refused'): Credential {
  const { proof: _proof, ...known } = credential;
  return { ...known, provedBy: `${what}#${credential.form.formId}` };
}

/**
 * An authentic delivery that can never be accepted is recorded like every rejection, but must not be repeated: some
 * providers disable a webhook that keeps failing. Its time is kept where the watch looks, which alerts the owner. Has to
 * come before the step that responds to rejections, because errors pass the steps from the last to the first.
 */
export function endRepetition({ lastUse }: DeliveryOptions): Step {
  return {
    onError: async function endRepetitionOnError(request) {
      const { credential, outcome, receivedAtMilliseconds } = request.event;
      const isFinal = outcome?.kind === 'rejected' && NEVER_ACCEPTABLE.includes(outcome.reason);
      if (!credential || !isFinal) return;
      request.response = IGNORED;
      await lastUse.note(notAsUse(credential, 'refused'), receivedAtMilliseconds);
    },
  };
}

/** The content type matters only if the body is no JSON: what was signed as JSON is accepted under any name. */
export function readSourceBody(): Step<ParsedSubmission> {
  return {
    before: function readSourceBodyBefore({ event: submission }: Request<AuthenticatedSubmission>) {
      requireSize(submission);
      try {
        submission.parsed = parseJsonObject(submission.body.bytes());
      } catch (rejection) {
        requireJsonContentType(submission.headers);
        throw rejection;
      }
    },
  };
}

/** The row of the provider that has proved itself. */
export function provenProvider({ credential }: AuthenticatedSubmission): Provider {
  const provider = PROVIDERS.get(credential.form.provider?.name ?? '');
  if (!provider) throw new Error('authenticated without a provider');
  return provider;
}

/**
 * Decides whether a provider's delivery is a lead, and makes flat fields of it. After the step that compares versions:
 * an event that the owner has just chosen must not be ignored because the cache does not know it yet.
 */
export function takeDelivery({ lastUse }: DeliveryOptions): Step<ParsedSubmission> {
  return {
    before: async function takeDeliveryBefore({ event: submission }) {
      const { credential, parsed, slug, receivedAtMilliseconds } = submission;
      // Whoever sends with a token chooses the fields.
      if (slug === undefined) return undefined;
      const provider = provenProvider(submission);
      const delivery = readDelivery(provider, parsed, credential.form.provider?.events);
      if (delivery.kind === 'ignored') {
        // It shows that the secret is right, which is what a ping is for.
        await lastUse.note(notAsUse(credential, 'ignored'), receivedAtMilliseconds);
        submission.outcome = { kind: 'ignored', because: delivery.because };
        return IGNORED;
      }
      requireRecent(delivery.happenedAtMilliseconds, receivedAtMilliseconds);
      const fields = fieldsOf(provider, parsed);
      submission.mapping = {
        fields: fields === parsed ? undefined : fields,
        failed: fields === undefined,
        test: delivery.test,
      };
      return undefined;
    },
  };
}

/** By then its record has expired, and a repetition would make a second lead. */
function requireRecent(happenedAtMilliseconds: number | undefined, nowMilliseconds: number): void {
  if (happenedAtMilliseconds === undefined) return;
  const ageSeconds = Math.floor((nowMilliseconds - happenedAtMilliseconds) / 1000);
  if (ageSeconds >= LIMITS.deliverySeconds) throw new Rejection('delivery_too_old', { ageSeconds });
}
