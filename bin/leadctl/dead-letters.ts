import type { Command } from 'commander';
import type { DeadLetter, DeadLetters, Move } from '../../lambdas/operator/dead-letters-store.ts';
import { examples, wholeNumber } from './command-line.ts';
import { Failure } from './failure.ts';
import { interrupted } from './interruption.ts';
import { confirm } from './operator-input.ts';
import { table } from './print.ts';
import { makeProgressBar } from './progress-bar.ts';
import type { RunCommand, Session } from './session.ts';
import { placeOf } from './stack-outputs.ts';

export function addDeadLetterCommands(program: Command, run: RunCommand): void {
  const dlq = program
    .command('dlq')
    .description('Dead letters: leads whose enrichment failed again and again, and waits for somebody.');
  addList(dlq, run);
  addRedrive(dlq, run);
}

function addList(dlq: Command, run: RunCommand): void {
  dlq
    .command('list')
    .description(
      'List what is in the dead-letter queue. Nothing is taken out of it; looking counts as a receive, as SQS has it.',
    )
    .option('--limit <n>', 'how many at most', wholeNumber(1, 500), 50)
    .addHelpText('after', examples('dlq list', 'dlq list --limit 500 --json'))
    .action(({ limit }: { limit: number }) =>
      run(async (session) => {
        const letters = await openDeadLetters(session);
        const total = await letters.count();
        const found = await letters.list(limit, session.interruption());
        return {
          result: { approximateTotal: Math.max(total, found.length), messages: found },
          lines: describe(found, limit, session),
        };
      }),
    );
}

function addRedrive(dlq: Command, run: RunCommand): void {
  dlq
    .command('redrive')
    .description(
      'Send all dead letters back to be enriched. Mend the cause first: what fails again comes back here.',
    )
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('dlq redrive', 'dlq redrive --yes --json'))
    .action((options: { yes?: boolean }) =>
      run(async (session) => {
        const deed = `send all dead letters of ${placeOf(session.outputs)} back to be enriched`;
        await confirm(deed, options, session.terminal);
        const { moved } = await followMove(await openDeadLetters(session), session);
        return { result: { moved }, lines: [`Sent ${moved} leads back to be enriched.`] };
      }),
    );
}

async function openDeadLetters({ queueClient, outputs }: Session): Promise<DeadLetters> {
  const { makeDeadLetters } = await import('../../lambdas/operator/dead-letters-store.ts');
  return makeDeadLetters(queueClient, {
    deadLetterQueueUrl: outputs.deadLetterQueueUrl,
    sourceQueueUrl: outputs.enrichmentQueueUrl,
  });
}

async function followMove(letters: DeadLetters, { interruption, terminal }: Session): Promise<Move> {
  const signal = interruption();
  // A task that finds nothing takes as long as one that finds a little.
  if ((await letters.count()) === 0) return { status: 'COMPLETED', moved: 0, toMove: 0 };
  const bar = makeProgressBar(terminal.stderr);
  let last: Move = { status: 'COMPLETED', moved: 0, toMove: 0 };
  try {
    for await (const move of letters.redrive(signal)) {
      last = move;
      bar.show(move.moved, Math.max(move.moved, move.toMove), '');
    }
  } catch (error) {
    if (signal.aborted) throw interrupted(`SQS goes on by itself; it has moved ${last.moved} so far.`);
    if (error instanceof Error && /already a task|active task/i.test(error.message)) {
      throw new Failure('conflict', 'SQS is moving these messages already: look again with dlq list.');
    }
    throw error;
  } finally {
    bar.clear();
  }
  if (last.status === 'COMPLETED') return last;
  throw new Failure(
    'aws',
    `SQS ended with ${last.status}${last.failureReason ? ` (${last.failureReason})` : ''} after ${last.moved} messages: run it again for the rest.`,
  );
}

function describe(letters: readonly DeadLetter[], limit: number, { command }: Session): string[] {
  if (letters.length === 0) return ['There are no dead letters.'];
  const rows = letters.map(({ messageId, leadId, receiveCount, sentAt }) => [
    ...[messageId, leadId ?? '(none of ours)', String(receiveCount), ageOf(sentAt)],
  ]);
  return [
    ...table(['MESSAGE', 'LEAD', 'RECEIVED', 'AGE'], rows),
    ...(letters.length === limit ? ['There may be more: raise --limit.'] : []),
    '',
    'When the cause is mended, send them back:',
    `  ${command('dlq redrive')}`,
  ];
}

function ageOf(sentAt: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(sentAt)) / 60_000));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`;
}
