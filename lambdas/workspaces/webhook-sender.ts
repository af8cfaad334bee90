export interface Webhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface WebhookReply {
  readonly status: number;
  /** API Gateway's, by which Diagnostics knows the request. */
  readonly requestId: string | undefined;
  readonly text: string;
}

export interface WebhookSender {
  /** Undefined if no response came in time. The reason would only describe our own network. */
  post(webhook: Webhook, signal: AbortSignal): Promise<WebhookReply | undefined>;
}

/** Longer than the slowest ingest, cold start included, and far shorter than an owner waits. */
const PATIENCE_MS = 6_000;

/** Sends webhooks as a provider does, to the service's own address. */
export function makeWebhookSender({ patienceMilliseconds = PATIENCE_MS } = {}): WebhookSender {
  return {
    async post({ url, headers, body }, signal) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers,
          body: new Uint8Array(body),
          // Nothing signed goes anywhere but to the form's own address.
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMilliseconds)]),
        });
        const requestId = response.headers.get('x-amzn-requestid') ?? undefined;
        return { status: response.status, requestId, text: await response.text() };
      } catch {
        return undefined;
      }
    },
  };
}
