import { MISTAKES } from '#debugger/mistakes.ts';
import type { RejectionEvent } from '../../api/types.ts';

interface Fact {
  readonly name: string;
  readonly value: string;
  /** Worth a copy button. */
  readonly copy?: boolean;
}

const DETAIL_NAMES: Readonly<Record<string, string>> = {
  likelyMistake: 'Likeliest mistake',
  skewSeconds: 'Our clock less the sender’s',
  length: 'Length',
  contentType: 'Content type',
  contentEncoding: 'Content encoding',
  problem: 'Problem',
  type: 'Type',
  originalSubmissionId: 'Original submission',
};

/** What was wrong with this one request, in words where there are any. */
export function detailFacts({ detail }: Pick<RejectionEvent, 'detail'>): Fact[] {
  return Object.entries(detail).map(([name, value]) => ({
    name: DETAIL_NAMES[name] ?? name,
    value: detailValue(name, value),
  }));
}

function detailValue(name: string, value: string | number): string {
  if (name === 'likelyMistake' && Object.hasOwn(MISTAKES, value))
    return MISTAKES[value as keyof typeof MISTAKES];
  if (name === 'skewSeconds') return `${value} s`;
  return String(value);
}

/** What came with it. The body itself is not kept. */
export function requestFacts(event: RejectionEvent): Fact[] {
  const {
    requestId,
    extendedRequestId,
    authenticated,
    sourceAddress,
    userAgent,
    bodyBytes,
    bodySha256,
    keyNames,
  } = event;
  return [
    { name: 'Request id', value: requestId, copy: true },
    ...(extendedRequestId === undefined ? [] : [{ name: 'API Gateway id', value: extendedRequestId }]),
    { name: 'Sender authenticated', value: authenticated ? 'Yes' : 'No' },
    { name: 'Source address', value: sourceAddress ?? 'Not known' },
    { name: 'User agent', value: userAgent ?? 'Not sent' },
    { name: 'Length of the body', value: `${new Intl.NumberFormat().format(bodyBytes)} bytes` },
    ...(bodySha256 === undefined ? [] : [{ name: 'SHA-256 of the body', value: bodySha256, copy: true }]),
    ...(keyNames === undefined ? [] : [{ name: 'Keys in the body', value: keyNames.join(', ') || 'None' }]),
  ];
}
