import type { FieldConfiguration } from '#model/lead-fields.ts';
import { LIMITS, TEST_MARK } from '#model/limits.ts';
import type { signTest } from '#workspaces/delivery-routes.ts';
import { sampleLead } from '#workspaces/sample-lead.ts';

/** The test request and its result. */
export interface Test {
  readonly sent: ReturnType<typeof signTest>['sent'];
  readonly outcome: 'accepted' | 'rejected' | 'unreachable';
  readonly submissionId?: string;
  readonly requestId?: string;
  readonly status?: number;
  readonly milliseconds: number;
}

/** Whether the body is the product's own sample, unchanged. Its person is fictional, so its score says nothing. */
export function isSample(body: unknown, fields: readonly FieldConfiguration[]): boolean {
  return JSON.stringify(body) === JSON.stringify(sampleLead(fields));
}

type ReadBody =
  | { readonly body: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | { readonly problem: string; readonly body?: undefined };

/** Parses the lead that an owner typed, or says what is wrong with it. */
export function readBody(text: string): ReadBody {
  const value = parse(text);
  if (value instanceof SyntaxError) return { problem: `Invalid JSON. ${placeOf(value, text)}`.trim() };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'Enter one JSON object, such as {"name": "…", "email": "…"}.' };
  const body = value as Record<string, unknown>;
  if (Object.hasOwn(body, TEST_MARK) && body[TEST_MARK] !== true)
    return { problem: `Remove ${TEST_MARK}. It’s added automatically.` };
  const bytes = new TextEncoder().encode(JSON.stringify({ ...body, [TEST_MARK]: true })).length;
  if (bytes > LIMITS.bodyBytes)
    return { problem: `The body has ${bytes.toLocaleString('en')} bytes. The maximum is 131,072.` };
  return { body };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

/** Browsers word the message differently; only the position is usable. */
function placeOf({ message }: SyntaxError, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position === undefined) return 'Check for a missing bracket or quote at the end.';
  const before = text.slice(0, Number(position)).split('\n');
  return `Check line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}
