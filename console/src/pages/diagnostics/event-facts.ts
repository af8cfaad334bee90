import { MISTAKES } from '#debugger/mistakes.ts';
import type { RejectionEvent } from '../../api/types.ts';

interface Fact {
  readonly name: string;
  readonly value: string;
  readonly copy?: boolean;
}

const DETAIL_NAMES: Readonly<Record<string, string>> = {
  likelyMistake: 'Likely cause',
  skewSeconds: 'Timestamp offset',
  length: 'Length',
  contentType: 'Content type',
  contentEncoding: 'Content encoding',
  problem: 'Problem',
  type: 'Type',
  originalSubmissionId: 'Original submission',
};

/** What was wrong with this request. */
export function detailFacts({ detail }: Pick<RejectionEvent, 'detail'>): Fact[] {
  return Object.entries(detail).map(([name, value]) => ({
    name: DETAIL_NAMES[name] ?? name,
    value: detailValue(name, value),
  }));
}

function detailValue(name: string, value: string | number): string {
  if (name === 'likelyMistake' && Object.hasOwn(MISTAKES, value))
    return MISTAKES[value as keyof typeof MISTAKES];
  if (name === 'skewSeconds') return `${Math.abs(Number(value))} s ${Number(value) > 0 ? 'behind' : 'ahead'}`;
  return String(value);
}

/** Facts about the request. The body isn't stored. */
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
    { name: 'Request ID', value: requestId, copy: true },
    ...(extendedRequestId === undefined
      ? []
      : [{ name: 'API Gateway request ID', value: extendedRequestId }]),
    { name: 'Sender authenticated', value: authenticated ? 'Yes' : 'No' },
    { name: 'IP address', value: sourceAddress ?? 'Unknown' },
    { name: 'User agent', value: userAgent ?? 'Not sent' },
    {
      name: 'Body size',
      value: `${new Intl.NumberFormat().format(bodyBytes)} ${bodyBytes === 1 ? 'byte' : 'bytes'}`,
    },
    ...(bodySha256 === undefined ? [] : [{ name: 'Body SHA-256', value: bodySha256, copy: true }]),
    ...(keyNames === undefined ? [] : [{ name: 'Body keys', value: keyNames.join(', ') || 'None' }]),
  ];
}
