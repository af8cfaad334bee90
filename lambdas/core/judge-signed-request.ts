import type { Form, FormSecret, Workspace } from './configuration.ts';
import type { Headers } from './headers.ts';
import { Rejection, UNATTRIBUTED } from './rejection.ts';
import { matchingSecret, requireSignature } from './signature.ts';
import { requireTimestamp } from './timestamp.ts';
import { refuse, type Verdict } from './verdict.ts';

/** All that the tables say about a slug. */
export interface SlugConfiguration {
  readonly forms: readonly Form[];
  readonly secrets: readonly FormSecret[];
  readonly workspace?: Workspace | undefined;
}

export interface SignedRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly nowMilliseconds: number;
}

/**
 * The same work for every slug, known or not: timestamp and signature are checked first, against decoys where there
 * is no secret, and only then does the configuration decide which reason comes first.
 */
export function judgeSignedRequest(
  { forms, secrets, workspace }: SlugConfiguration,
  request: SignedRequest,
): Verdict {
  const form = forms.length === 1 ? forms[0] : undefined;
  const secret = secrets.find(({ formId }) => formId === form?.formId);
  const proof = checkProof(request, secret);

  if (forms.length > 1) {
    return refuse('slug_ambiguous', { workspaceIds: [...new Set(forms.map((each) => each.workspaceId))] });
  }
  if (!form) return refuse('form_not_found', UNATTRIBUTED);
  const owner = { workspaceIds: [form.workspaceId], formId: form.formId };
  if (!form.active) return refuse('form_inactive', owner);
  if (!workspace) return refuse('form_not_found', owner);
  if (workspace.status !== 'active') return refuse('workspace_suspended', owner);
  if (!secret) return refuse('secret_not_configured', owner);
  if (proof instanceof Rejection) return { rejection: proof, attribution: owner };
  return {
    credential: {
      workspaceId: workspace.workspaceId,
      configVersion: workspace.configVersion,
      form,
      provedBy: `secret#${form.formId}#${proof}`,
    },
  };
}

/** The previous secret counts only while its grace lasts. */
export function secretsInForce(secret: FormSecret | undefined, nowMilliseconds: number) {
  const graceLasts = nowMilliseconds < (secret?.previousEndsAtMilliseconds ?? 0);
  return { current: secret?.secret, previous: graceLasts ? secret?.previousSecret : undefined };
}

function checkProof(
  { headers, body, nowMilliseconds }: SignedRequest,
  secret: FormSecret | undefined,
): Rejection | 'current' | 'previous' {
  try {
    const timestamp = requireTimestamp(headers, nowMilliseconds);
    const signature = requireSignature(headers);
    const matching = matchingSecret(signature, timestamp, body, secretsInForce(secret, nowMilliseconds));
    return matching ?? new Rejection('signature_mismatch');
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
}
