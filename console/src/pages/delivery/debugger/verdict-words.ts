import type { SignatureExplanation } from '#debugger/explain-signature.ts';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import type { Obstacles, SentRequest } from './debug-request.ts';

interface Verdict {
  readonly kind: 'success' | 'warning' | 'error';
  readonly headline: string;
  readonly sentences: readonly string[];
  /** Other problems, independent of the signature. */
  readonly besides: readonly string[];
}

type Explained = Omit<SignatureExplanation, 'mistakes'> & { readonly mistakes: readonly { name: string }[] };

/** The verdict on a request: a headline, sentences and what else is wrong. */
export function describeVerdict(
  explanation: Explained,
  { signature, body }: Pick<SentRequest, 'signature' | 'body'>,
  { refused, elsewhere }: Obstacles,
): Verdict {
  const verdict = onProof(explanation, signature !== undefined);
  const reasons = [...refused, ...(elsewhere === undefined ? [] : [elsewhere])];
  if (explanation.decision === 'accepted' && reasons.length > 0)
    return {
      ...(refused.length > 0
        ? { kind: 'error', headline: 'The signature is correct, but the request will be rejected' }
        : { kind: 'warning', headline: 'The signature is correct, but the request goes to another URL' }),
      sentences: [...reasons, ...(explanation.acceptedBy === 'previous' ? [OF_PREVIOUS_SECRET] : [])],
      besides: [],
    };
  const onBody = body.length === 0 ? ['The body is empty. If one was sent, paste it.'] : [];
  return { ...verdict, sentences: [...onBody, ...verdict.sentences], besides: reasons };
}

type OnProof = Omit<Verdict, 'besides'>;

function onProof(explanation: Explained, hasSignature: boolean): OnProof {
  const { decision, signature, skewSeconds, mistakes } = explanation;
  if (decision === 'accepted') return accepted(explanation.acceptedBy);
  const { title, meaning, remedy } = REASON_GUIDE[decision];
  // The mistakes listed below are more specific.
  const isTold = decision.startsWith('timestamp_') && mistakes.length > 0;
  const general = isTold ? [] : [meaning, remedy];
  if (decision === 'timestamp_out_of_window' && signature === 'right') {
    const headline = 'The signature is correct, but the timestamp is too old or too new';
    return { kind: 'warning', headline, sentences: [...skewSentence(skewSeconds), ...general] };
  }
  return {
    kind: 'error',
    headline: `Rejected: ${title}`,
    sentences: isOfSignature(decision)
      ? onSignature(explanation, decision)
      : [...general, ...skewSentence(skewSeconds), ...besides(signature, hasSignature)],
  };
}

const OF_PREVIOUS_SECRET =
  'The sender still uses the previous webhook secret. Give it the current one before the previous one expires.';

function accepted(by: Explained['acceptedBy']): OnProof {
  if (by === 'previous')
    return {
      kind: 'warning',
      headline: 'Accepted with the previous webhook secret',
      sentences: [OF_PREVIOUS_SECRET],
    };
  return {
    kind: 'success',
    headline: 'This request would be accepted',
    sentences: ['The timestamp, signature and body are correct.'],
  };
}

type SignatureReason = 'signature_missing' | 'signature_malformed' | 'signature_mismatch';

const isOfSignature = (decision: Explained['decision']): decision is SignatureReason =>
  decision.startsWith('signature_');

/** Not the reason guide's remedies, which link to this debugger. */
const WITHOUT_EXPLANATION: Readonly<Record<SignatureReason, string>> = {
  signature_missing: 'Sign every request with this form’s webhook secret. See the sample code above.',
  signature_malformed: 'Send the HMAC-SHA256 as 64 lowercase hex digits, with or without the prefix sha256=.',
  signature_mismatch: 'No common mistake explains this signature. Check the following:',
};

function onSignature({ signature }: Explained, decision: SignatureReason): string[] {
  if (signature === 'explained') return ['Here’s why:'];
  if (decision === 'signature_mismatch') return [WITHOUT_EXPLANATION[decision]];
  return [REASON_GUIDE[decision].meaning, WITHOUT_EXPLANATION[decision]];
}

/** About the signature, if the request fails for another reason. */
function besides(signature: Explained['signature'], hasSignature: boolean): string[] {
  if (!hasSignature) return [];
  if (signature === 'right') return ['The signature is correct.'];
  if (signature === 'explained') return ['The signature doesn’t match either. Here’s why:'];
  return ['The signature doesn’t match either, and no common mistake explains it.'];
}

function skewSentence(skewSeconds: number | undefined): string[] {
  if (skewSeconds === undefined) return [];
  const side = skewSeconds > 0 ? 'behind' : 'ahead of';
  return [
    `The timestamp is ${duration(Math.abs(skewSeconds))} ${side} the current time. The limit is 5 minutes.`,
    ...(skewSeconds > 0
      ? ['An old request always looks too old here. What matters is the time when it was sent.']
      : []),
  ];
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** The two largest units: 2 hours 5 minutes. */
export function duration(seconds: number): string {
  const at = UNITS.findIndex(([length]) => seconds >= length);
  if (at < 0) return '0 seconds';
  let rest = Math.floor(seconds);
  const parts = UNITS.slice(at, at + 2).flatMap(([length, name]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.join(' ');
}

const FROM_PASTING = new Set([
  'body_newline_added',
  'body_newline_cut',
  'body_trimmed',
  'body_crlf_to_lf',
  'body_lf_to_crlf',
  'body_bom_added',
  'body_bom_cut',
  'timestamp_with_whitespace',
]);

/** Copying can change whitespace and line endings, so the sender may be right. */
export function mayComeFromPasting(mistakes: readonly { readonly name: string }[]): boolean {
  return mistakes.some(({ name }) => FROM_PASTING.has(name));
}

const BODY_CHECK =
  'Is the pasted body exactly what was sent? Logs often reformat, shorten or decode it. Capture it right before it’s sent, or use a file.';

/** What to check if no mistake explains the signature. A body that is known to be the one that was sent needs no check. */
export function unexplainedChecks(isSameBody: boolean): readonly string[] {
  return [
    'Is it this form’s webhook secret? A sender may still use an older one or another form’s. If in doubt, generate a new secret.',
    ...(isSameBody ? [] : [BODY_CHECK]),
    'Does something change the request after it’s signed, such as a proxy, a plugin or a library that serializes JSON again?',
  ];
}
