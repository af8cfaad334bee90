import { type Reason, Rejection } from '../rejections/reasons.ts';
import type { FormRecord } from '../settings/administration/forms-store.ts';
import { Fault, optional, readFields, text } from '../settings/fields.ts';
import type { WorkspaceUsage } from '../settings/views.ts';
import type { FormSecret } from '../submission/configuration.ts';
import { LIMITS } from '../submission/limits.ts';
import { parseJsonObject } from '../submission/parse-body.ts';
import { explainSignature, type SignatureExplanation } from './explain-signature.ts';
import type { SignedInput } from './judge-proof.ts';

/** Whole quartets with their padding, and no more of them than hold the largest body and a byte over it. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const LONGEST_BASE64 = Math.ceil((LIMITS.bodyBytes + 1) / 3) * 4;

function base64(value: unknown): Buffer {
  const encoded = text({ min: 0, max: LONGEST_BASE64 })(value);
  if (!BASE64.test(encoded)) throw new Fault('must be base64, with its padding');
  return Buffer.from(encoded, 'base64');
}

const header = optional(text({ min: 0, max: 1_000 }));

/** A request as it was sent; headers that were not sent are left out. */
export function readSignedRequest(body: unknown): SignedInput {
  const read = readFields(body, { timestamp: header, signature: header, bodyBase64: base64 });
  return { timestamp: read.timestamp, signature: read.signature, body: read.bodyBase64 };
}

interface Known {
  readonly form: FormRecord;
  readonly secret: FormSecret | undefined;
  readonly others: readonly FormSecret[];
  readonly workspace: Pick<WorkspaceUsage, 'status'> | undefined;
}

/** What the service would decide and, if the signature is wrong, which mistake produces exactly this signature. */
export function debugSignature(signed: SignedInput, known: Known, nowMilliseconds: number) {
  const { secret, others } = known;
  const explanation = explainSignature(
    signed,
    {
      current: secret?.secret,
      ...(secret?.previousSecret !== undefined && {
        previous: {
          secret: secret.previousSecret,
          endsAtMilliseconds: secret.previousEndsAtMilliseconds ?? 0,
        },
      }),
      others: others.map((other) => ({ formId: other.formId, secret: other.secret })),
    },
    nowMilliseconds,
  );
  return { ...explanation, decision: otherRejection(signed, known) ?? decisionOn(signed, explanation) };
}

/** With a valid signature, the service reads the body next, which must be a lead. */
function decisionOn(
  { body }: SignedInput,
  { decision }: SignatureExplanation,
): SignatureExplanation['decision'] {
  if (decision !== 'accepted') return decision;
  try {
    parseJsonObject(Buffer.from(body));
    return decision;
  } catch (error) {
    if (error instanceof Rejection) return error.reason;
    throw error;
  }
}

/** What the service checks before the proof, in the same order. */
function otherRejection({ body }: SignedInput, { form, workspace }: Known): Reason | undefined {
  if (body.byteLength > LIMITS.bodyBytes) return 'body_too_large';
  if (!form.active) return 'form_inactive';
  return workspace?.status === 'active' ? undefined : 'workspace_suspended';
}
