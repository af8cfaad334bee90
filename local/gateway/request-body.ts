import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { type Answer, BODY_OVER_10_MB, CORRUPT_CODING } from './gateway-responses.ts';

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
/** How much of a body that is too large is read to its end, so that the client hears why. */
const PATIENCE_BYTES = 64 * 1024 * 1024;

/** The client went away before its request was complete. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The body's bytes as a function of a REST API gets them, or the answer of a gateway that could not get that far. */
export async function readBody(request: IncomingMessage): Promise<Buffer | Answer> {
  const body = await collectBody(request);
  return body === undefined ? BODY_OVER_10_MB : decompress(body, request.headers['content-encoding']);
}

/** The body's bytes as they came; undefined if they are more than any gateway takes. */
export async function collectBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length <= BODY_LIMIT_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      if (length > PATIENCE_BYTES) break;
    }
  } catch {
    throw new ClientGone();
  }
  return length > BODY_LIMIT_BYTES ? undefined : Buffer.concat(chunks);
}

const DECODERS = new Map([
  ['gzip', gunzip],
  ['deflate', inflate],
]);

async function decompress(body: Buffer, coding: string | undefined): Promise<Buffer | Answer> {
  const decoder = DECODERS.get(coding?.trim().toLowerCase() ?? '');
  if (decoder === undefined || body.length === 0) return body;
  try {
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(decoder)(body, {
      maxOutputLength: BODY_LIMIT_BYTES,
    });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return tooLarge ? BODY_OVER_10_MB : CORRUPT_CODING;
  }
}
