import type { StackOutputs } from './stack-outputs.ts';

/** Where a backend sends leads with a server token. */
export function serverUrl({ ingestUrl }: StackOutputs): string {
  return `${ingestUrl}/api/v1/ingest`;
}

/** Where a webhook provider sends leads to a form, signed. */
export function webhookUrl({ ingestUrl }: StackOutputs, slug: string): string {
  return `${ingestUrl}/api/v1/ingest/${encodeURIComponent(slug)}`;
}
