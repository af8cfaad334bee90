import type { Destination } from '../../lambdas/sending/destination.ts';
import type { destinationView } from '../../lambdas/sending/views.ts';
import type { Session } from './session.ts';
import { requireWorkspace } from './stack-contents.ts';

export type DestinationView = ReturnType<typeof destinationView>;

/** The destinations of one workspace. Loaded late: help does not need the SDK. */
export async function openDestinations(session: Session, workspaceId: string) {
  const { client, tables, queueClient, outputs } = session;
  const [
    { randomBytes },
    { destinationDependencies },
    { destinationView },
    { makeResolveName },
    { makeSendQueue },
  ] = await Promise.all([
    import('node:crypto'),
    import('../../lambdas/settings/settings-dependencies.ts'),
    import('../../lambdas/sending/views.ts'),
    import('../../lambdas/sending/outbound-http.ts'),
    import('../../lambdas/sending/send-queue-store.ts'),
  ]);
  const { destinationsOf, messages } = destinationDependencies(
    { client, tables, now: Date.now, randomBytes },
    {
      queue: makeSendQueue(queueClient, { sending: outputs.sendingQueueUrl }),
      resolve: makeResolveName(),
      // A stack on AWS never sends there. One on this machine does if it was started that way.
      allowLoopback: outputs.localDynamoDbEndpoint !== undefined,
      canSendEmail: outputs.mailFrom !== undefined,
    },
  );
  await requireWorkspace(session, workspaceId);
  const signal = session.interruption();

  async function view(destinations: readonly Destination[]): Promise<DestinationView[]> {
    const ids = destinations.map(({ destinationId }) => destinationId);
    const health = await messages.healthOf(ids, signal);
    return destinations.map((destination, index) => destinationView(destination, health[index], Date.now()));
  }

  return {
    // Operators may list members.
    destinations: destinationsOf(workspaceId, true),
    messages,
    signal,
    view,
    viewOne: async (destination: Destination) => (await view([destination]))[0] as DestinationView,
  };
}

/** Where it sends to, as far as it is no secret. */
export function addressOf({ url, urlEnd, email }: DestinationView): string {
  return url ?? email ?? `…${urlEnd}`;
}

function confirmationText({ confirmation, confirmationSentAt }: DestinationView): string | undefined {
  if (confirmation !== 'pending') return confirmation;
  return confirmationSentAt === undefined ? 'not asked yet' : `asked at ${confirmationSentAt}`;
}

/** "active, failing", "active, not confirmed", "disabled (gone)" */
export function stateOf({ status, disabledReason, confirmation, health }: DestinationView): string {
  if (status === 'active' && confirmation === 'pending') return 'active, not confirmed';
  if (status === 'disabled') return `disabled (${disabledReason ?? 'unknown'})`;
  if (status !== 'active') return status;
  return [
    status,
    ...(health.state === 'ok' ? [] : [health.state]),
    ...(health.slowSince ? ['slow'] : []),
  ].join(', ');
}

const REASONS: Readonly<Record<string, string>> = {
  gone: 'It answered 410 Gone.',
  failing: 'It failed for five days.',
  stopped: 'The recipient stopped the emails.',
  bounced: 'The mail server says that the address does not exist.',
  complained: 'The recipient marked an email as spam.',
};

/** Everything about one. */
export function describeDestination(view: DestinationView): string[] {
  const { disabledReason, disabledAt, health, previousSecretWorksUntil } = view;
  const facts: [string, string | undefined][] = [
    ['ID', view.destinationId],
    ['Kind', view.kind],
    ['Address', addressOf(view)],
    ['Recipient', confirmationText(view)],
    ['State', stateOf(view)],
    ['Disabled', disabledAt && `${disabledAt}. ${REASONS[disabledReason ?? ''] ?? ''}`.trimEnd()],
    ['Failing since', health.failingSince],
    ['Slow since', health.slowSince],
    ['Events', view.events.join(', ')],
    ['Forms', view.forms === 'all' ? 'all' : view.forms.join(', ')],
    ['Leads', view.onlyClean ? 'clean only' : 'all'],
    ['Field values', view.kind === 'webhook' || view.includeFields ? 'included' : 'not included'],
    ['Created', view.createdAt],
    ['Secret set', view.secretSetAt],
    ['Old secret', previousSecretWorksUntil && `also signs until ${previousSecretWorksUntil}`],
  ];
  return [
    view.name,
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(15)}${value}`])),
  ];
}
