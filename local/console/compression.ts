import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer } from '../gateway/gateway-responses.ts';

/** How CloudFront compresses: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/ServingCompressedFiles.html */
export type Encoding = 'br' | 'gzip';

interface CompressionConfig {
  readonly Compress?: boolean;
  readonly CachePolicyId?: string;
}

/** What CloudFront's own cache policies accept, the preferred first. They are in no template. */
const MANAGED_POLICIES: Readonly<Record<string, readonly Encoding[]>> = {
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': ['br', 'gzip'],
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': [],
};

/** Of the types that CloudFront compresses, those that files have here. */
const COMPRESSED_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'image/svg+xml',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
]);
const COMPRESSED_STATUS: ReadonlySet<number> = new Set([200, 403, 404]);
const LEAST_BYTES = 1_000;
const MOST_BYTES = 10_000_000;

const COMPRESSORS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  // Its best takes seconds, which an edge does not take either.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** How a behaviour may compress. */
export function readEncodings({
  Compress = false,
  CachePolicyId = '',
}: CompressionConfig): readonly Encoding[] {
  const encodings = MANAGED_POLICIES[CachePolicyId];
  if (encodings === undefined) throw new Error(`the cache policy ${CachePolicyId} is not served here`);
  return Compress ? encodings : [];
}

/** By body: files stay the same as long as this process runs. */
const compressed = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

export async function compress(
  answer: Answer,
  incoming: Pick<IncomingMessage, 'headers' | 'httpVersion'>,
  encodings: readonly Encoding[],
): Promise<Answer> {
  if (encodings.length === 0 || !isCompressible(answer)) return answer;
  const headers = [...answer.headers, ['vary', 'Accept-Encoding'] as const];
  const encoding = encodings.find((it) => accepts(incoming, it));
  if (encoding === undefined) return { ...answer, headers };
  const body = await compressOnce(answer.body, encoding);
  return { ...answer, headers: [...headers, ['content-encoding', encoding]], body };
}

function isCompressible({ statusCode, headers, body }: Answer): boolean {
  const header = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  return (
    COMPRESSED_STATUS.has(statusCode) &&
    body.length >= LEAST_BYTES &&
    body.length <= MOST_BYTES &&
    header('content-encoding') === undefined &&
    COMPRESSED_TYPES.has(header('content-type') ?? '')
  );
}

function accepts(
  { headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>,
  encoding: Encoding,
): boolean {
  // Whoever speaks HTTP 1.0 gets everything as it is.
  if (httpVersion === '1.0') return false;
  const accepted = String(headers['accept-encoding'] ?? '').split(',');
  return accepted.some((it) => {
    const [name = '', weight = 'q=1'] = it.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !/^q=0(\.0*)?$/.test(weight);
  });
}

function compressOnce(body: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = compressed.get(body) ?? new Map<Encoding, Promise<Buffer>>();
  compressed.set(body, known);
  const result = known.get(encoding) ?? COMPRESSORS[encoding](body);
  known.set(encoding, result);
  return result;
}
