import { type Command, Option } from 'commander';
import { LEAD_EVENTS } from '../../lambdas/model/lead-events.ts';
import { MESSAGE_STATUSES } from '../../lambdas/sending/message.ts';
import type { messageView } from '../../lambdas/sending/views.ts';
import { UsageFailure } from '../operator/failure.ts';
import { table } from '../operator/terminal.ts';
import { examples, idOf, readMoment, wholeNumber } from './command-line.ts';
import { openDestinations } from './open-destinations.ts';
import type { RunCommand, Session } from './session.ts';

export function addMessageCommands(message: Command, run: RunCommand): void {
  addList(message, run);
  addReplay(message, run);
}

interface ListOptions {
  readonly workspace: string;
  readonly destination?: string;
  readonly submission?: string;
  readonly status?: string;
  readonly limit: number;
}

function addList(message: Command, run: RunCommand): void {
  message
    .command('list')
    .description('List the messages to a destination, newest lead first, or those about one submission.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .option('--destination <id>', 'destination ID', idOf('destination'))
    .option('--submission <id>', 'submission ID: its messages to all destinations')
    .addOption(new Option('--status <status>', 'only messages in this state').choices([...MESSAGE_STATUSES]))
    .option('--limit <n>', 'maximum number of messages', wholeNumber(1, 1_000), 50)
    .addHelpText(
      'after',
      examples(
        'message list --workspace ws_… --destination dest_… --status failed',
        'message list --workspace ws_… --submission 019a…',
      ),
    )
    .action((options: ListOptions) => {
      const { destination, submission, status } = options;
      if ((destination === undefined) === (submission === undefined)) {
        throw new UsageFailure('Pass --destination ID or --submission ID.');
      }
      if (submission !== undefined && status !== undefined) {
        throw new UsageFailure('--status works with --destination only.');
      }
      return run((session) => list(session, options));
    });
}

type MessageView = ReturnType<typeof messageView>;

async function list(session: Session, options: ListOptions) {
  const { messageView } = await import('../../lambdas/sending/views.ts');
  const opened = await openDestinations(session, options.workspace);
  const { found, truncated } =
    options.destination === undefined
      ? await ofSubmission(opened, options.submission as string)
      : await ofDestination(opened, options.destination, options);
  const messages = found.map(messageView);
  return {
    result: { messages, truncated },
    lines: [...describe(messages), ...(truncated ? ['There may be more. Raise --limit.'] : [])],
  };
}

type Opened = Awaited<ReturnType<typeof openDestinations>>;
type Found = Awaited<ReturnType<Opened['messages']['find']>>;

async function ofDestination(
  { destinations, messages, signal }: Opened,
  destinationId: string,
  { status, limit }: ListOptions,
): Promise<{ found: Found; truncated: boolean }> {
  await destinations.require(destinationId, signal);
  const found: Found = [];
  let before: string | undefined;
  do {
    const page = await messages.list(destinationId, { before, limit: limit - found.length, status }, signal);
    found.push(...page.messages);
    before = page.before;
  } while (before !== undefined && found.length < limit);
  return { found, truncated: before !== undefined };
}

async function ofSubmission(
  { destinations, messages, signal }: Opened,
  leadId: string,
): Promise<{ found: Found; truncated: boolean }> {
  const all = await destinations.list(signal);
  const keys = all.flatMap(({ destinationId }) =>
    LEAD_EVENTS.map((type) => ({ destinationId, leadId, type })),
  );
  return { found: keys.length > 0 ? await messages.find(keys, signal) : [], truncated: false };
}

function describe(messages: readonly MessageView[]): string[] {
  if (messages.length === 0) return ['No messages.'];
  const rows = messages.map(({ messageId, type, status, createdAt, attempts, nextAttemptAt }) => {
    const last = attempts.at(-1);
    const response = last === undefined ? '-' : (last.error ?? String(last.status));
    return [messageId, type, status, createdAt, String(attempts.length), response, nextAttemptAt ?? '-'];
  });
  return table(['MESSAGE', 'TYPE', 'STATUS', 'CREATED', 'ATTEMPTS', 'LAST ANSWER', 'NEXT ATTEMPT'], rows);
}

interface ReplayOptions {
  readonly workspace: string;
  readonly destination?: string;
  readonly since?: string;
}

function addReplay(message: Command, run: RunCommand): void {
  message
    .command('replay')
    .description(
      'Send a message again, or everything that failed or waits for a destination since a time. Receivers see the same webhook-id.',
    )
    .argument('[id]', 'message ID, such as msg_…', idOf('message'))
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .option('--destination <id>', 'destination ID, with --since', idOf('destination'))
    .option('--since <time>', 'of leads received since: 24h, 7d, 2026-11-15T08:00Z', readMoment)
    .addHelpText(
      'after',
      examples(
        'message replay msg_… --workspace ws_…',
        'message replay --workspace ws_… --destination dest_… --since 24h',
      ),
    )
    .action((id: string | undefined, { workspace, destination, since }: ReplayOptions) => {
      const all = destination !== undefined && since !== undefined ? { destination, since } : undefined;
      const isOne = id !== undefined && destination === undefined && since === undefined;
      if (!isOne && (id !== undefined || !all)) {
        throw new UsageFailure('Pass a message ID, or --destination ID with --since TIME.');
      }
      return run(async (session) => {
        const { destinations, signal } = await openDestinations(session, workspace);
        if (!all) {
          await destinations.replay(id as string, signal);
          return { result: { messageId: id }, lines: [`Sending message ${id} again.`] };
        }
        await destinations.replaySince(all.destination, Date.parse(all.since), signal);
        return {
          result: { destinationId: all.destination, since: all.since },
          lines: [
            `Sending everything again that failed or waits for ${all.destination}, of leads since ${all.since}.`,
          ],
        };
      });
    });
}
