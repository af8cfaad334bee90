import { timingSafeEqual } from 'node:crypto';
import type { Form, FormSecret, Workspace } from '../model/configuration.ts';
import { parseJsonObject } from '../model/lead-body.ts';
import { LIMITS } from '../model/limits.ts';
import { type Reason, Rejection } from '../model/reasons.ts';
import { Fault, optional, readFields, text } from '../owner-api/fields.ts';
import {
  type Attempt,
  attempts,
  digestOf,
  messageOf,
  millisecondAttempts,
  mistakesOf,
  type Secrets,
} from './attempts.ts';
import { differenceOf, printableStart, type SignedDifference } from './difference.ts';
import type { OtherSecret } from './key-variants.ts';
import { timestampMistakes } from './message-shapes.ts';
import { type FoundMistake, type Mistake, putIntoWords } from './mistakes.ts';
import {
  type Decided,
  decide,
  type ReadSignature,
  readSignature,
  type SignedInput,
} from './signature-proof.ts';

export interface SignatureExplanation extends Decided {
  /** Only where the clock is the cause: the service's time less the sender's. */
  readonly skewSeconds?: number;
  /** What should have been signed; the timestamp counts as empty where none was sent. */
  readonly signed: { readonly firstBytes: string; readonly byteLength: number };
  /** The difference between what was signed and what should have been signed, if it is known. Never contains the key. */
  readonly difference?: SignedDifference;
  /** Separate from the decision, since a request is often too old by the time it is debugged. */
  readonly signature: 'right' | 'explained' | 'unexplained';
  /** Empty, or the mistakes that together produce this signature and the rejection of the timestamp. */
  readonly mistakes: readonly Mistake[];
  /** Digests that were computed to find out. */
  readonly tries: number;
}

/** For small bodies the number of tries is the bound, for large ones the bytes that are hashed. */
const WORK = { tries: 1_000, bytes: 16 * 1024 * 1024 };
/** Adds at most a thousand tries. */
const MILLISECONDS_WORK = { tries: 1_000, bytes: 8 * 1024 * 1024 };
const MILLISECONDS_BODY_BYTES = 8 * 1024;

export function explainSignature(
  input: SignedInput,
  secrets: Secrets,
  nowMilliseconds: number,
): SignatureExplanation {
  const { skewSeconds, ...decided } = decide(input, secrets, nowMilliseconds);
  const found = decided.decision === 'accepted' ? ACCEPTED : search(input, secrets, nowMilliseconds);
  const ofHeader = timestampMistakes(input.timestamp, nowMilliseconds).map((name) => ({ name }));
  const difference =
    found.attempt && differenceOf(messageToSign(input), Buffer.concat(messageOf(found.attempt)));
  const clock = ofHeader.some(({ name }) => name === 'timestamp_clock_skew');
  return {
    ...decided,
    ...(clock && skewSeconds !== undefined && { skewSeconds }),
    signed: describeSigned(input),
    ...(difference && { difference }),
    signature: outcome(found.mistakes),
    mistakes: putIntoWords([...ofHeader, ...(found.mistakes ?? [])]),
    tries: found.tries,
  };
}

interface Found {
  /** `undefined` if nothing matches; empty if the signature is right. */
  readonly mistakes: readonly FoundMistake[] | undefined;
  readonly attempt?: Attempt;
  readonly tries: number;
}

const ACCEPTED: Found = { mistakes: [], tries: 0 };

function outcome(mistakes: Found['mistakes']): SignatureExplanation['signature'] {
  if (!mistakes) return 'unexplained';
  return mistakes.length === 0 ? 'right' : 'explained';
}

function search(input: SignedInput, secrets: Secrets, nowMilliseconds: number): Found {
  const read = readSignature(input.signature);
  if (!read) return { mistakes: undefined, tries: 0 };
  const found = findMatch(attempts(input, secrets, nowMilliseconds), read, WORK);
  if (found.mistakes || input.body.length > MILLISECONDS_BODY_BYTES) return found;
  const sweep = millisecondAttempts(input, secrets, nowMilliseconds);
  const swept = findMatch(sweep, read, MILLISECONDS_WORK);
  return { ...swept, tries: found.tries + swept.tries };
}

function findMatch(
  tried: Iterable<Attempt>,
  { digest, algorithm, mistakes }: ReadSignature,
  most: { readonly tries: number; readonly bytes: number },
): Found {
  let tries = 0;
  let bytes = 0;
  for (const attempt of tried) {
    bytes += attempt.body.bytes.length + attempt.timestamp.text.length;
    if (tries >= most.tries || bytes > most.bytes) break;
    tries += 1;
    if (timingSafeEqual(digestOf(attempt, algorithm), digest)) {
      const names = mistakes.map((name) => ({ name }));
      return { mistakes: [...names, ...mistakesOf(attempt)], attempt, tries };
    }
  }
  return { mistakes: undefined, tries };
}

function messageToSign({ timestamp = '', body }: SignedInput): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}.`), body]);
}

function describeSigned(input: SignedInput): SignatureExplanation['signed'] {
  const message = messageToSign(input);
  return { firstBytes: printableStart(message), byteLength: message.length };
}

/** Whole quartets with their padding, and no more of them than hold the largest body and a byte over it. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MAX_BASE64_LENGTH = Math.ceil((LIMITS.bodyBytes + 1) / 3) * 4;

function base64(value: unknown): Buffer {
  const encoded = text({ min: 0, max: MAX_BASE64_LENGTH })(value);
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
  readonly form: Pick<Form, 'active'>;
  readonly secret: FormSecret | undefined;
  readonly others: readonly OtherSecret[];
  readonly workspace: Pick<Workspace, 'status'> | undefined;
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
      others,
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
