import { OutsideFailure } from '../core/enrichment/failures.ts';
import type { ProviderQuestion } from '../core/enrichment/provider-answer.ts';

export type ProviderReply =
  | { readonly kind: 'answer'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'unauthorised' }
  /** Down or busy; says when it wants to be asked again, if it does. */
  | { readonly kind: 'outage'; readonly code: unknown; readonly retryAfter?: string | undefined };

const MOST_ANSWER_BYTES = 64 * 1_024;
const TRY_AGAIN = new Set([408, 425, 429]);

/** One request. Throws an OutsideFailure when asking again would bring the same. */
export async function postQuestion(
  url: string,
  key: string,
  question: ProviderQuestion,
  signal: AbortSignal,
): Promise<ProviderReply> {
  let response: Response;
  let text: string | undefined;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(question),
      // A redirect would carry somebody's address to a place that the deployer did not name.
      redirect: 'manual',
      signal,
    });
    text = response.ok ? await readUpTo(MOST_ANSWER_BYTES, response) : undefined;
    if (!response.ok) await response.body?.cancel();
  } catch (error) {
    return { kind: 'outage', code: codeOf(error) };
  }
  if (response.status === 401) return { kind: 'unauthorised' };
  if (response.status >= 500 || TRY_AGAIN.has(response.status)) {
    return {
      kind: 'outage',
      code: `HTTP_${response.status}`,
      retryAfter: response.headers.get('retry-after') ?? undefined,
    };
  }
  const fields = response.status === 204 ? {} : jsonObject(text);
  if (!fields)
    throw new OutsideFailure(
      'provider',
      false,
      response.ok ? 'ANSWER_UNREADABLE' : `HTTP_${response.status}`,
    );
  return { kind: 'answer', fields };
}

async function readUpTo(mostBytes: number, response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the rest.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonObject(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** fetch's errors may quote URLs and headers; their codes are enough. */
function codeOf(error: unknown): unknown {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  return cause?.code ?? name;
}
