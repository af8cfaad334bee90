import { receivedAtOf } from '../../console/src/pages/leads/detail/find-neighbours.ts';
import type { Destination } from '../../lambdas/sending/destination.ts';
import { makeDestinationStore } from '../../lambdas/sending/destinations-store.ts';
import { makeHealthStore } from '../../lambdas/sending/health-store.ts';
import type { Attempt } from '../../lambdas/sending/message.ts';
import { type MessageWrite, makeMessages } from '../../lambdas/sending/messages-store.ts';
import { openContract, type Tenant } from '../contract/tenant.ts';

const SHARED = {
  events: ['lead.accepted'],
  forms: 'all',
  onlyClean: true,
  includeFields: false,
  status: 'active',
} as const;
const never = new AbortController().signal;

/** Destinations in every state with messages, written to the tables directly so that nothing is sent. */
export async function seedDestinations({ workspaceId, formId }: Tenant, leadIds: readonly string[]) {
  const context = openContract();
  const keeper = makeDestinationStore(context);
  const messages = makeMessages(context);
  const health = makeHealthStore(context);
  const now = Date.now();
  const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString();
  const suffix = workspaceId.replace(/\W|_/g, '').slice(-12);

  let created = 0;
  async function create(name: string, rest: Partial<Destination>, secrets: object = {}): Promise<string> {
    const destinationId = `dest_${name}${suffix}`;
    const createdAt = new Date(now + created).toISOString();
    created += 1;
    const destination = { ...SHARED, workspaceId, destinationId, createdAt, ...rest } as Destination;
    await keeper.create(destination, secrets, never);
    return destinationId;
  }
  const signedWith = (byte: number) => ({
    signingSecret: `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
  });

  const crm = await create(
    'crm',
    {
      kind: 'webhook',
      name: 'CRM',
      url: 'https://crm.analytical-engines.example/webhooks/leads',
      events: ['lead.accepted', 'lead.enriched', 'lead.erased'],
      secretSetAt: ago(0),
    },
    signedWith(1),
  );
  const warehouse = await create(
    'warehouse',
    {
      kind: 'webhook',
      name: 'Data warehouse',
      url: 'https://events.analytical-engines.example/leads',
      secretSetAt: ago(0),
      onlyClean: false,
    },
    signedWith(2),
  );
  const slack = await create(
    'slack',
    {
      kind: 'slack',
      name: 'Sales channel',
      urlEnd: 'x9Yz',
      status: 'disabled',
      disabledReason: 'gone',
      disabledAt: ago(30),
    },
    { slackUrl: 'https://hooks.slack.com/services/T0/B0/x9Yz' },
  );
  await create('email', {
    kind: 'email',
    name: 'Sales team',
    email: 'sales@analytical-engines.example',
    status: 'paused',
  });

  const afterReceipt = (leadId: string, milliseconds: number) =>
    new Date(receivedAtOf(leadId) + milliseconds).toISOString();
  const attempt = (leadId: string, milliseconds: number, result: Partial<Attempt>): Attempt => ({
    at: afterReceipt(leadId, milliseconds),
    milliseconds: 87,
    ...result,
  });
  const write = (leadId: string, rest: Partial<MessageWrite> & Pick<MessageWrite, 'status' | 'attempts'>) =>
    messages.write(
      {
        destinationId: crm,
        leadId,
        workspaceId,
        formId,
        type: 'lead.accepted',
        countedAttempts: rest.attempts.length,
        createdAt: afterReceipt(leadId, 200),
        ...rest,
      },
      undefined,
      never,
    );
  const [first = '', second = first, third = first] = leadIds;
  await write(first, { status: 'delivered', attempts: [attempt(first, 400, { status: 200 })] });
  await write(first, {
    type: 'lead.enriched',
    status: 'delivered',
    attempts: [attempt(first, 10_000, { status: 204 })],
  });
  await write(second, {
    status: 'failed',
    attempts: [
      attempt(second, 400, { error: 'timeout', milliseconds: 10_003 }),
      attempt(second, 15_400, { status: 410 }),
    ],
    answerExcerpt: '{"error":"This endpoint was removed"}',
  });
  await write(third, {
    status: 'waiting',
    attempts: [attempt(third, 400, { status: 503, milliseconds: 412 })],
    nextAttemptAt: new Date(now + 27 * 60_000).toISOString(),
    answerExcerpt: '<h1>Service unavailable</h1>',
  });
  await write(first, {
    destinationId: warehouse,
    status: 'parked',
    attempts: [attempt(first, 600, { error: 'connection_refused' })],
  });
  const failed = { workspaceId, destinationId: warehouse, leadId: first, type: 'lead.accepted' } as const;
  await health.countFailure(failed, { isAboutMessage: false, nowMilliseconds: now - 15_000 }, never);
  return { destinationId: crm, disabledDestinationId: slack };
}
