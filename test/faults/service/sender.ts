import { mintBrowserToken } from '#browser/browser-token.ts';
import type { Sender } from '#conformance/world/submission.ts';
import { type AnySurface, LIMITS } from '#model/limits.ts';
import { signatureOf } from '#model/request-signature.ts';
import { PROVIDERS, type Provider } from '#sources/providers.ts';
import { signDelivery } from '#sources/sign-delivery.ts';
import { SeededRandom } from '../../random.ts';
import { DynamoDbDouble } from '../double/dynamodb-double.ts';
import type { Activity } from '../machine/environment.ts';
import { replaceTime, VirtualTime } from '../machine/virtual-time.ts';
import { BROWSER_KEY, ClientSlots, makeOwnerActions } from './functions.ts';

export type { Sender };

export interface Submit {
  readonly surface: AnySurface;
  readonly body: string;
  /** On Surface 2 the nonce: 32 hex digits. On Surface 1c the ID of a delivery, or the key of a tool: `tool-…`. */
  readonly key?: string | undefined;
  readonly sender?: Sender;
  /** Must be rejected in any case. */
  readonly flawed?: boolean;
  /** The same name means the same environment while it is alive and idle. */
  readonly environment?: string | undefined;
}

export interface Sending {
  readonly surface: AnySurface;
  readonly sender: Sender;
  readonly requestId: string;
  readonly body: string;
  readonly key: string | undefined;
  readonly nowMilliseconds: number;
}

/** The event that API Gateway sends: base64, every header with all its values. */
export function gatewayEvent(sending: Sending): unknown {
  const { surface, sender, requestId, body } = sending;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    ...CREDENTIALS[surface](sending),
  };
  return {
    resource: RESOURCES[surface],
    pathParameters: surface === '1b' || isDelivery(sending) ? { slug: sender.slug } : null,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    requestContext: { requestId, identity: { sourceIp: '192.0.2.1', userAgent: 'faults' } },
  };
}

const RESOURCES: Readonly<Record<AnySurface, string>> = {
  '1a': '/api/v1/ingest',
  '1b': '/api/v1/ingest/{slug}',
  '1c': '/sources/v1/{slug}',
  '2': '/api/v1/browser/submissions',
};

const CREDENTIALS: Readonly<Record<AnySurface, (sending: Sending) => Record<string, string>>> = {
  '1a': ({ sender, key }) => ({ Authorization: `Bearer ${sender.token}`, ...keyHeader(key) }),
  '1b': ({ sender, key, body, nowMilliseconds }) => ({
    ...signed(sender.secret, body, nowMilliseconds),
    ...keyHeader(key),
  }),
  '1c': (sending) =>
    isDelivery(sending)
      ? delivered(sending)
      : { 'X-API-Key': sending.sender.token, ...keyHeader(sending.key) },
  // A new token each time, as the SDK does.
  '2': ({ sender: { slug }, key: nonce = '', nowMilliseconds }) => ({
    Origin: ORIGIN,
    Authorization: `Bearer ${mintBrowserToken({ slug, nonce, origin: ORIGIN }, BROWSER_KEY, nowMilliseconds)}`,
  }),
};

const ORIGIN = 'https://shop.example.com';

const keyHeader = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'X-SVC-Idempotency-Key': key };

function signed(secret: string, body: string, nowMilliseconds: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMilliseconds / 1000));
  const signature = signatureOf(secret, timestamp, Buffer.from(body)).toString('hex');
  return { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
}

const PROVIDER = 'standard-webhooks';
const PROVIDER_SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;

/** Surface 1c has a namespace of its own, so that the invariants must not expect anything of the others' keys. */
export const keyOn = (surface: AnySurface, key: string | undefined) =>
  surface === '1c' && key !== undefined ? `${key}.1c` : key;

/** Whether a provider sends it, and not a tool with a token. */
export const isDelivery = ({ surface, key }: Pick<Sending, 'surface' | 'key'>) =>
  surface === '1c' && !key?.startsWith('tool-');

/** How long a repeat gets the original response. */
export const windowOf = (sent: Pick<Sending, 'surface' | 'key'>) =>
  1_000 * (isDelivery(sent) ? LIMITS.deliverySeconds : LIMITS.idempotencySeconds);

/** With a signed ID: every attempt has another body. A delivery that is never repeated has one of its own. */
function delivered({ sender, key, requestId, body, nowMilliseconds }: Sending): Record<string, string> {
  const secret = sender.secret === 'whsec_wrong' ? `${PROVIDER_SECRET}AAAA` : PROVIDER_SECRET;
  const deliveryId = key ?? requestId;
  const provider = PROVIDERS.get(PROVIDER) as Provider;
  return signDelivery(provider, { secret, deliveryId, body: Buffer.from(body), nowMilliseconds });
}

const MAX_ENVIRONMENTS = 40;

/** Made once per thread and shared by its schedules. */
export interface Kit {
  readonly time: VirtualTime;
  readonly double: DynamoDbDouble;
  readonly slots: ClientSlots;
  readonly sender: Sender;
  /** A workspace with a form, a secret and a token, made by the real settings code. */
  readonly beginning: ReturnType<DynamoDbDouble['snapshot']>;
}

export async function makeKit(): Promise<Kit> {
  const time = new VirtualTime();
  replaceTime(time);
  const double = new DynamoDbDouble();
  const slots = await ClientSlots.make(MAX_ENVIRONMENTS);
  const atOnce = async (operation: string, input: Parameters<DynamoDbDouble['execute']>[1]) =>
    double.execute(operation, input);
  const clients = slots.take({ patient: atOnce, recording: atOnce, queue: atOnce });
  const actions = makeOwnerActions({ clients, now: time.now, random: new SeededRandom(1) }, 'nobody');

  time.restart(Date.parse('2026-11-01T00:00:00Z'));
  const { workspaceId } = await actions.createWorkspace({ name: 'Faults' });
  const owner = makeOwnerActions({ clients, now: time.now, random: new SeededRandom(2) }, workspaceId);
  const { formId, slug } = await owner.createForm('Contact');
  const { secret } = await owner.setSecret({ formId });
  const { token, tokenId } = await owner.createToken({ formId });
  await owner.updateForm(formId, {
    browser: { enabled: true, origins: [ORIGIN] },
    provider: { name: PROVIDER },
  });
  await owner.setProviderSecret({ formId, secret: PROVIDER_SECRET });
  slots.giveBack();
  return {
    time,
    double,
    slots,
    beginning: double.snapshot(),
    sender: { workspaceId, formId, slug, secret, token, tokenId },
  };
}

/** Timeouts and attempts of the deployed functions. A test compares these with the source. */
export const PATIENCE = {
  deadlineMilliseconds: 4_000,
  maxAttempts: 3,
  requestTimeoutMilliseconds: 1_500,
  recordingMilliseconds: 300,
  queueTimeoutMilliseconds: 2_000,
} as const;

export interface GivenResponse {
  readonly statusCode: number;
  readonly body: string;
  readonly headers: unknown;
}

/** A position in the order of all events, and its time. */
export interface Moment {
  readonly index: number;
  readonly at: number;
}

/** Everything observed about one submission. */
export interface SubmissionRecord extends Activity {
  readonly surface: AnySurface;
  readonly key: string | undefined;
  readonly body: string;
  readonly sender: Sender;
  readonly flawed: boolean;
  readonly started: Moment;
  /** Set when the function has responded, even if the sender never got the response. */
  responded?: Moment;
  response?: GivenResponse;
  /** The rejection reason that the owner sees. */
  reason?: string;
  /** An unexpected error in the function. */
  defect?: unknown;
}

export type ChangeKind =
  | 'suspend'
  | 'resume'
  | 'revoke'
  | 'deactivate'
  | 'activate'
  | 'rotate'
  | 'rotate with grace';

/** A change by the owner, from the first attempt to the acknowledgement. */
export interface ChangeRecord {
  readonly kind: ChangeKind;
  readonly started: Moment;
  tries: number;
  responded?: Moment;
}
