import type { ReadRequest } from './read-as-server.ts';

export const MAXIMUM_BODY = 131_072;

export const valuesOf = ({ headers }: ReadRequest, name: string): string[] =>
  headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

/** The value of a header that occurs exactly once. */
export function onlyValue(request: ReadRequest, name: string): string | undefined {
  const values = valuesOf(request, name);
  return values.length === 1 ? values[0] : undefined;
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function keyOf(request: ReadRequest): { readonly text: string } | 'malformed' | undefined {
  const values = valuesOf(request, 'x-svc-idempotency-key').map((value) => value.trim());
  if (values.length === 0) return undefined;
  const [text = ''] = values;
  return values.length === 1 && text.length >= 1 && text.length <= 255 ? { text } : 'malformed';
}

export function hasNoCoding(request: ReadRequest): boolean {
  const codings = valuesOf(request, 'content-encoding').join(',').split(',');
  return codings.every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()));
}

export function isJson(request: ReadRequest): boolean {
  const [type = ''] = (onlyValue(request, 'content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase() === 'application/json';
}

/** Undefined if the body is not the JSON text of an object. */
export function objectIn({ body }: ReadRequest): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
