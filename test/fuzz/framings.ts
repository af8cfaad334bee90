import type { Random } from './random.ts';

/** How the end of a body is made known: header lines, and the body as it goes over the wire. */
export type Framing = (body: Buffer, random: Random) => { lines: string[]; payload: Buffer };

const CHUNKED = 'Transfer-Encoding: chunked';

export const withLength: Framing = (body) => ({ lines: [`Content-Length: ${body.length}`], payload: body });

export function withLengthText(text: (length: number) => string): Framing {
  return (body) => ({ lines: [`Content-Length: ${text(body.length)}`], payload: body });
}

export function withLines(lines: (length: number) => string[]): Framing {
  return (body) => ({ lines: lines(body.length), payload: body });
}

interface Chunking {
  readonly line?: string;
  readonly longest?: number;
  readonly size?: (length: number, random: Random) => string;
  readonly end?: string;
  /** Between a chunk and the next. */
  readonly separator?: string;
}

export function inChunks(chunking: Chunking = {}): Framing {
  const { line = CHUNKED, longest = 4096, separator = '\r\n', end = '0\r\n\r\n' } = chunking;
  const size = chunking.size ?? ((length: number) => length.toString(16));
  return (body, random) => {
    const parts: Buffer[] = [];
    // Tiny chunks of a large body would be a hundred thousand buffers.
    const most = Math.max(longest, Math.ceil(body.length / 2000));
    for (let from = 0; from < body.length; ) {
      const chunk = body.subarray(from, from + random.between(1, most));
      parts.push(Buffer.from(`${size(chunk.length, random)}\r\n`, 'latin1'), chunk, Buffer.from(separator));
      from += chunk.length;
    }
    return { lines: [line], payload: Buffer.concat([...parts, Buffer.from(end, 'latin1')]) };
  };
}
