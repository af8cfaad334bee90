import { timingSafeEqual } from 'node:crypto';
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
import { type Decided, decide, type SignedInput } from './judge-proof.ts';
import { timestampMistakes } from './message-shapes.ts';
import { type FoundMistake, type Mistake, putIntoWords } from './mistakes.ts';
import { type ReadSignature, readSignature } from './read-signature.ts';

export interface SignatureExplanation extends Decided {
  /** Only where the clock is the cause: the service's time less the sender's. */
  readonly skewSeconds?: number;
  /** What should have been signed; the timestamp counts as empty where none was sent. */
  readonly signed: { readonly firstBytes: string; readonly byteLength: number };
  /** Where it is known what was signed, and that is other than it should be. The key has no part in it. */
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
