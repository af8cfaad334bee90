import type { IncomingMessage } from 'node:http';

export interface AwsRequest {
  readonly method: string;
  /** Decoded, without the service's name at its beginning. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cacheControl: string | undefined;
  readonly body: Buffer;
}

/** What a stand-in answers: bytes as they are, anything else as XML, or as JSON to those who ask for it. */
export type AwsAnswer = { readonly root: string; readonly fields: object } | Buffer | undefined;

export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Objects become elements, and a list repeats its element. */
export function toXml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => toXml(name, item)).join('');
  if (typeof value === 'object' && value !== null) {
    const children = Object.entries(value).map(([child, its]) => toXml(child, its));
    return `<${name}>${children.join('')}</${name}>`;
  }
  const text = String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${name}>${text}</${name}>`;
}
