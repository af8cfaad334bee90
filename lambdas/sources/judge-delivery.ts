import { createHash } from 'node:crypto';
import { refuse, type Verdict } from '../model/configuration.ts';
import type { ParsedBody } from '../model/lead-body.ts';
import { UNATTRIBUTED } from '../model/reasons.ts';
import type { SlugConfiguration } from '../submission/signed-request.ts';
import type { IdempotencyKey } from '../submission/submission.ts';
import { PROVIDERS, type Provider } from './providers.ts';
import { readDelivery } from './read-delivery.ts';
import { decoyProvider, looksLike, type SignedDelivery, verifySignature } from './verify-signature.ts';

/** Enough to reject a delivery. Reading more would take time, which would reveal that the form exists. */
export const DELIVERY_ATTRIBUTES = {
  form: 'slug, formId, workspaceId, active, provider',
  secret: 'slug, formId, providerSecret, previousProviderSecret, previousProviderSecretUntil',
};

/**
 * The same work for every slug, known or not: the signature is checked first, with a decoy's row and secret where the
 * form has none, and only then does the configuration decide which reason comes first.
 */
export function judgeDelivery(
  { forms, secrets, workspace, senders, learned }: SlugConfiguration,
  delivery: SignedDelivery,
): Verdict {
  const form = forms.length === 1 ? forms[0] : undefined;
  const chosen = PROVIDERS.get(form?.provider?.name ?? '');
  const secret = secrets.find(({ formId }) => formId === form?.formId);
  const verified = verifySignature(chosen ?? decoyProvider(delivery.headers), delivery, {
    current: secret?.providerSecret,
    previous: secret?.previousProviderSecret,
  });
  const graceLasts = delivery.nowMilliseconds < (secret?.previousProviderSecretUntil ?? 0);

  if (forms.length > 1) {
    return refuse('slug_ambiguous', { workspaceIds: [...new Set(forms.map((each) => each.workspaceId))] });
  }
  if (!form) return refuse('form_not_found', UNATTRIBUTED);
  const owner = { workspaceIds: [form.workspaceId], formId: form.formId };
  if (!form.active) return refuse('form_inactive', owner);
  if (!workspace) return refuse('form_not_found', owner);
  if (workspace.status !== 'active') return refuse('workspace_suspended', owner);
  if (!chosen) return refuse('provider_not_chosen', owner);
  if (secret?.providerSecret === undefined)
    return refuse('secret_not_configured', owner, { provider: chosen.name });
  if (verified.secret === 'previous' && !graceLasts) {
    // Only the form's own provider can sign so: the alert about it need not wait for an unusual silence.
    const detail = { provider: chosen.name, likelyMistake: 'secret_previous' };
    return refuse('signature_mismatch', owner, detail);
  }
  if ('reason' in verified) {
    const other = looksLike(delivery.headers, chosen);
    const detail = { ...verified.detail, provider: chosen.name, ...(other && { looksLike: other.name }) };
    return refuse(verified.reason, owner, detail);
  }
  return {
    credential: {
      workspaceId: workspace.workspaceId,
      configVersion: workspace.configVersion,
      form,
      senders,
      learned,
      provedBy: `provider#${form.formId}#${verified.secret}`,
      // Without the skew: nobody can set a provider's clock, and some repeat a delivery with its first signature.
      ...(verified.secret === 'previous' && { proof: { endsAt: secret.previousProviderSecretUntil } }),
      deliveryId: verified.deliveryId,
    },
  };
}

interface IdentifiedDelivery {
  readonly formId: string;
  readonly provider: Provider;
  /** Signed, outside the body. */
  readonly deliveryId: string | undefined;
  readonly parsed: ParsedBody;
  readonly bodySha256: string | undefined;
}

/** Only by what is signed: with another ID in an unsigned header, anybody who saw a delivery could repeat it. */
export function deliveryKey(delivery: IdentifiedDelivery): IdempotencyKey {
  const { formId, provider, parsed, bodySha256 = '' } = delivery;
  const read = readDelivery(provider, parsed);
  const id = delivery.deliveryId ?? ('deliveryId' in read ? read.deliveryId : undefined);
  return {
    hash: sourceHash(formId, ...(id === undefined ? ['body', bodySha256] : ['id', id])),
    isDelivery: true,
  };
}

/**
 * A key in the header of a request with a server token, in a namespace of its own: a key that was used on Surface 1a
 * must not replay a `202` here.
 */
export function tokenRowKey(workspaceId: string, key: string): IdempotencyKey {
  return { hash: sourceHash(workspaceId, 'key', key) };
}

/** Only the last part may contain a line feed. Keys of other surfaces have fewer parts, or begin with another word. */
function sourceHash(...parts: readonly string[]): string {
  return createHash('sha256')
    .update(['source', ...parts].join('\n'))
    .digest('hex');
}
