import { type Form, type FormSecret, refuse, type Verdict, type Workspace } from '../model/configuration.ts';
import type { Headers } from '../model/headers.ts';
import type { Learned } from '../model/learned.ts';
import { Rejection, UNATTRIBUTED } from '../model/reasons.ts';
import {
  matchingSecret,
  requireSignature,
  requireTimestamp,
  secretsInForce,
} from '../model/request-signature.ts';
import type { SenderList } from '../model/senders.ts';

/** Everything stored about a slug. */
export interface SlugConfiguration {
  readonly forms: readonly Form[];
  readonly secrets: readonly FormSecret[];
  readonly workspace?: Workspace | undefined;
  readonly senders?: SenderList | undefined;
  readonly learned?: Learned | undefined;
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
  { forms, secrets, workspace, senders, learned }: SlugConfiguration,
  request: SignedRequest,
): Verdict {
  const form = forms.length === 1 ? forms[0] : undefined;
  const secret = secrets.find(({ formId }) => formId === form?.formId);
  const proof = checkProof(request, secret);
  const { headers, nowMilliseconds } = request;

  if (forms.length > 1) {
    return refuse('slug_ambiguous', { workspaceIds: [...new Set(forms.map((each) => each.workspaceId))] });
  }
  if (!form) return refuse('form_not_found', UNATTRIBUTED);
  const owner = { workspaceIds: [form.workspaceId], formId: form.formId };
  if (!form.active) return refuse('form_inactive', owner);
  if (!workspace) return refuse('form_not_found', owner);
  if (workspace.status !== 'active') return refuse('workspace_suspended', owner);
  if (secret?.secret === undefined) return refuse('secret_not_configured', owner);
  if (proof instanceof Rejection) return { rejection: proof, attribution: owner };
  return {
    credential: {
      workspaceId: workspace.workspaceId,
      configVersion: workspace.configVersion,
      form,
      senders,
      learned,
      provedBy: `secret#${form.formId}#${proof}`,
      proof: {
        skewSeconds: Math.floor(nowMilliseconds / 1000) - Number(headers.get('x-svc-timestamp')?.[0]),
        ...(proof === 'previous' && { endsAt: secret.previousEndsAtMilliseconds }),
      },
    },
  };
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
