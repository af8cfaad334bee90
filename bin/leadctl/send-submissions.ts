import { randomUUID } from 'node:crypto';
import { type ClientRequestArgs, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { signatureOf } from '../../lambdas/model/request-signature.ts';
import type { Provider } from '../../lambdas/sources/providers.ts';
import { signDelivery } from '../../lambdas/sources/sign-delivery.ts';

/** Surface 2 needs a browser. */
export const SENDING_SURFACES = ['1a', '1b', '1c'] as const;

export type SendingSurface = (typeof SENDING_SURFACES)[number];

export interface Target {
  readonly url: string;
  readonly surface: SendingSurface;
  /** Signs as this one does. On surface 1c, a server token is the credential without it. */
  readonly provider?: Provider | undefined;
  readonly credential: string;
  readonly body: () => Buffer;
}

export interface Plan {
  readonly count: number;
  readonly concurrency: number;
  /** Called for each submission. */
  readonly key: () => string | undefined;
}

export interface Sent {
  readonly outcome: 'accepted' | 'rejected' | 'failed';
  readonly milliseconds: number;
  readonly submissionId?: string;
  readonly requestId?: string;
  /** Why it failed: no response, or an unexpected one. */
  readonly problem?: string;
}

/** API Gateway always responds within 29 seconds. */
const PATIENCE_MS = 30_000;

/** Sends the submissions over keep-alive connections, and stops early when the signal aborts. */
export async function sendAll(
  target: Target,
  { count, concurrency, key }: Plan,
  onSent: (done: number, notAccepted: number) => void,
  signal: AbortSignal,
): Promise<Sent[]> {
  const post = openConnections(target.url, concurrency);
  const sent: Sent[] = [];
  let started = 0;
  let notAccepted = 0;
  async function takeTurns() {
    while (started < count && !signal.aborted) {
      started += 1;
      const each = await sendOne(target, key(), post);
      sent.push(each);
      if (each.outcome !== 'accepted') notAccepted += 1;
      onSent(sent.length, notAccepted);
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, takeTurns));
  post.close();
  return sent;
}

async function sendOne(target: Target, key: string | undefined, post: Post): Promise<Sent> {
  const body = target.body();
  const headers = {
    ...proofOf(target, body),
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...(key !== undefined && { 'X-SVC-Idempotency-Key': key }),
  };
  const startedAt = performance.now();
  const milliseconds = () => Math.round((performance.now() - startedAt) * 10) / 10;
  try {
    const response = await post(headers, body);
    return { ...judge(target, response), milliseconds: milliseconds() };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return { outcome: 'failed', milliseconds: milliseconds(), problem: code ?? name };
  }
}

/** Signed when sent: in a long queue, a timestamp would get too old. */
function proofOf({ surface, provider, credential }: Target, body: Buffer): Record<string, string> {
  if (provider) {
    const delivery = { body, secret: credential, nowMilliseconds: Date.now(), deliveryId: randomUUID() };
    return signDelivery(provider, delivery);
  }
  if (surface !== '1b') return { Authorization: `Bearer ${credential}` };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = signatureOf(credential, timestamp, body).toString('hex');
  return { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
}

interface HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly requestId: string | undefined;
}

type Post = ((headers: ClientRequestArgs['headers'], body: Buffer) => Promise<HttpResponse>) & {
  close: () => void;
};

/** Providers take every 2xx as delivered, so that surface 1c rejects with 503. */
const STATUSES = {
  '1a': { accepted: 202, rejected: 200 },
  '1b': { accepted: 202, rejected: 200 },
  '1c': { accepted: 200, rejected: 503 },
} as const;

function judge({ surface }: Target, { status, body, requestId }: HttpResponse): Omit<Sent, 'milliseconds'> {
  const { accepted, rejected } = STATUSES[surface];
  const id = requestId === undefined ? {} : { requestId };
  const { submission_id: submissionId, status: word } = fieldsOf(body);
  if (status === accepted && typeof submissionId === 'string') {
    return { outcome: 'accepted', submissionId, ...id };
  }
  if (status === rejected && word === 'rejected') return { outcome: 'rejected', ...id };
  if (surface === '1c' && word === 'ignored') return { outcome: 'failed', problem: 'ignored', ...id };
  return { outcome: 'failed', problem: `status ${status}`, ...id };
}

function fieldsOf(body: string): { submission_id?: unknown; status?: unknown } {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}

function openConnections(url: string, concurrency: number): Post {
  const secure = url.startsWith('https:');
  const request = secure ? httpsRequest : httpRequest;
  const settings = { keepAlive: true, maxSockets: concurrency };
  const agent = secure ? new HttpsAgent(settings) : new HttpAgent(settings);
  const post = (headers: ClientRequestArgs['headers'], body: Buffer) =>
    new Promise<HttpResponse>((resolve, reject) => {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const sending = request(url, { method: 'POST', agent, headers, signal }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            requestId: response.headers['x-amzn-requestid']?.toString(),
          }),
        );
      });
      sending.on('error', reject);
      sending.end(body);
    });
  return Object.assign(post, { close: () => agent.destroy() });
}
