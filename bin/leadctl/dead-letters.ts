import { type Command, Option } from 'commander';
import type { DeadLetter, DeadLetters, Move } from '../../lambdas/operator/dead-letters-store.ts';
import { Failure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { counted, interrupted, makeProgressBar, table } from '../operator/terminal.ts';
import { examples, wholeNumber } from './command-line.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';

type Which = 'enrichment' | 'sending';

const whichQueue = () =>
  new Option('--queue <which>', 'whose dead letters; those of the search index are with sending')
    .choices(['enrichment', 'sending'])
    .default('enrichment');

const BACK: Readonly<Record<Which, string>> = { enrichment: 'to be enriched', sending: 'to their queues' };

export function addDeadLetterCommands(dlq: Command, run: RunCommand): void {
  addList(dlq, run);
  addRedrive(dlq, run);
}

function addList(dlq: Command, run: RunCommand): void {
  dlq
    .command('list')
    .description(
      'List the messages in the dead-letter queue. They stay in the queue, but SQS counts a receive.',
    )
    .addOption(whichQueue())
    .option('--limit <n>', 'maximum number of messages', wholeNumber(1, 500), 50)
    .addHelpText('after', examples('dlq list', 'dlq list --queue sending', 'dlq list --limit 500 --json'))
    .action(({ limit, queue }: { limit: number; queue: Which }) =>
      run(async (session) => {
        const letters = await openDeadLetters(session, queue);
        const total = await letters.count();
        const found = await letters.list(limit, session.interruption());
        return {
          result: { approximateTotal: Math.max(total, found.length), messages: found },
          lines: describe(found, { limit, queue }, session),
        };
      }),
    );
}

function addRedrive(dlq: Command, run: RunCommand): void {
  dlq
    .command('redrive')
    .description(
      'Send all dead letters back to their queues to be tried again. Fix the cause first, or they will fail again.',
    )
    .addOption(whichQueue())
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('dlq redrive', 'dlq redrive --queue sending --yes --json'))
    .action(({ queue, ...options }: { queue: Which; yes?: boolean }) =>
      run(async (session) => {
        const action = `send all dead letters of ${placeOf(session.outputs)} back ${BACK[queue]}`;
        await confirm(action, options, session.terminal);
        const { moved } = await followMove(await openDeadLetters(session, queue), session);
        const what = counted(moved, queue === 'enrichment' ? 'lead' : 'message');
        return { result: { moved }, lines: [`Sent ${what} back ${BACK[queue]}.`] };
      }),
    );
}

async function openDeadLetters({ queueClient, outputs }: Session, queue: Which): Promise<DeadLetters> {
  const { makeDeadLetters } = await import('../../lambdas/operator/dead-letters-store.ts');
  return makeDeadLetters(
    queueClient,
    queue === 'enrichment'
      ? { deadLetterQueueUrl: outputs.deadLetterQueueUrl, sourceQueueUrl: outputs.enrichmentQueueUrl }
      : // Of the queues of events, of messages and of the search index.
        { deadLetterQueueUrl: outputs.sendingDeadLetterQueueUrl, sourceQueueUrl: undefined },
  );
}

async function followMove(letters: DeadLetters, { interruption, terminal }: Session): Promise<Move> {
  const signal = interruption();
  // SQS takes seconds to move even an empty queue.
  if ((await letters.count()) === 0) return { status: 'COMPLETED', moved: 0, toMove: 0 };
  const bar = makeProgressBar(terminal.stderr);
  let last: Move = { status: 'COMPLETED', moved: 0, toMove: 0 };
  try {
    for await (const move of letters.redrive(signal)) {
      last = move;
      bar.show(move.moved, Math.max(move.moved, move.toMove), '');
    }
  } catch (error) {
    if (signal.aborted)
      throw interrupted(`Interrupted. SQS keeps moving messages in the background (${last.moved} so far).`);
    if (error instanceof Error && /already a task|active task/i.test(error.message)) {
      throw new Failure('conflict', 'SQS is already moving these messages. Check with dlq list.');
    }
    throw error;
  } finally {
    bar.clear();
  }
  if (last.status === 'COMPLETED') return last;
  throw new Failure(
    'aws',
    `SQS ended with ${last.status}${last.failureReason ? ` (${last.failureReason})` : ''} after ${counted(last.moved, 'message')}. Run the command again for the rest.`,
  );
}

function describe(
  letters: readonly DeadLetter[],
  { limit, queue }: { readonly limit: number; readonly queue: Which },
  { command }: Session,
): string[] {
  if (letters.length === 0) return ['No dead letters.'];
  const ofSending = queue === 'sending';
  const rows = letters.map(({ messageId, submissionId, receiveCount, sentAt, task, destinationId }) => [
    messageId,
    submissionId ?? (task === undefined ? '(unknown message)' : '-'),
    String(receiveCount),
    ageOf(sentAt),
    ...(ofSending ? [task ?? '-', destinationId ?? '-'] : []),
  ]);
  const columns = ['MESSAGE', 'SUBMISSION ID', 'RECEIVES', 'AGE'];
  return [
    ...table([...columns, ...(ofSending ? ['TASK', 'DESTINATION'] : [])], rows),
    ...(letters.length === limit ? ['There may be more. Raise --limit.'] : []),
    '',
    'After you fix the cause, send them back:',
    `  ${command`dlq redrive ${ofSending ? ['--queue', 'sending'] : []}`}`,
  ];
}

function ageOf(sentAt: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(sentAt)) / 60_000));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`;
}
