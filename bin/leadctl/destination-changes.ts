import type { Command } from 'commander';
import { UsageFailure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { examples, idOf, readDuration } from './command-line.ts';
import { openDestinations } from './open-destinations.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand } from './session.ts';

/** The commands that change an existing destination, or send to it. */
export function addDestinationChanges(destination: Command, run: RunCommand): void {
  addSwitch(destination, run, {
    verb: 'pause',
    status: 'paused',
    description: 'Stop sending to a destination. Its messages wait until it is resumed.',
    outcome: 'paused: its messages wait',
  });
  addSwitch(destination, run, {
    verb: 'resume',
    status: 'active',
    description: 'Send to a paused or disabled destination again, starting with what waits.',
    outcome: 'active: what waits is sent now',
  });
  addRotate(destination, run);
  addTest(destination, run);
  addConfirm(destination, run);
  addDelete(destination, run);
}

interface OfWorkspace {
  readonly workspace: string;
}

/** A command about one destination. */
function ofOne(destination: Command, verb: string, description: string): Command {
  return destination
    .command(verb)
    .description(description)
    .argument('<id>', 'destination ID, such as dest_…', idOf('destination'))
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'));
}

interface Switch {
  readonly verb: string;
  readonly status: 'active' | 'paused';
  readonly description: string;
  readonly outcome: string;
}

function addSwitch(
  destination: Command,
  run: RunCommand,
  { verb, status, description, outcome }: Switch,
): void {
  ofOne(destination, verb, description)
    .addHelpText('after', examples(`destination ${verb} dest_… --workspace ws_…`))
    .action((id: string, { workspace }: OfWorkspace) =>
      run(async (session) => {
        const { destinations, signal, viewOne } = await openDestinations(session, workspace);
        const changed = await destinations.change(id, { status }, signal);
        return {
          result: await viewOne(changed),
          lines: [`Destination ${id} (${changed.name}) is ${outcome}.`],
        };
      }),
    );
}

const MAX_GRACE_MS = 7 * 86_400_000;

function addRotate(destination: Command, run: RunCommand): void {
  ofOne(
    destination,
    'rotate',
    'Replace the signing secret of a webhook. Until the grace period ends, messages have two signatures.',
  )
    .option(
      '--grace <duration>',
      'how long the old secret also signs: 0, 90m, 24h, up to 7d',
      readDuration,
      86_400_000,
    )
    .addHelpText(
      'after',
      examples(
        'destination rotate dest_… --workspace ws_…',
        'destination rotate dest_… --workspace ws_… --grace 0   # after a leak',
      ),
    )
    .action((id: string, { workspace, grace }: OfWorkspace & { grace: number }) => {
      if (grace > MAX_GRACE_MS) throw new UsageFailure('--grace can be at most 7d.');
      return run(async (session) => {
        const { destinations, signal } = await openDestinations(session, workspace);
        const rotated = await destinations.rotate(id, grace / 1000, signal);
        return {
          result: rotated,
          lines: [
            `New signing secret of destination ${id}:`,
            '',
            `  ${rotated.signingSecret}`,
            '',
            'This secret is shown only once. Enter it in the receiver now.',
            grace > 0
              ? `Until ${rotated.previousWorksUntil}, messages are also signed with the old secret.`
              : 'The old secret no longer signs.',
          ],
        };
      });
    });
}

function addConfirm(destination: Command, run: RunCommand): void {
  ofOne(
    destination,
    'confirm',
    'Send the confirmation email again. Messages wait until the recipient has confirmed.',
  )
    .addHelpText('after', examples('destination confirm dest_… --workspace ws_…'))
    .action((id: string, { workspace }: OfWorkspace) =>
      run(async (session) => {
        const { destinations, signal } = await openDestinations(session, workspace);
        const { email } = await destinations.confirm(id, signal);
        return {
          result: { destinationId: id, email },
          lines: [`Asking ${email} to confirm, unless this address was asked within the last day.`],
        };
      }),
    );
}

function addTest(destination: Command, run: RunCommand): void {
  ofOne(destination, 'test', 'Send a test message to a destination. It contains no personal data.')
    .addHelpText('after', examples('destination test dest_… --workspace ws_…'))
    .action((id: string, { workspace }: OfWorkspace) =>
      run(async (session) => {
        const { destinations, signal } = await openDestinations(session, workspace);
        const messageId = await destinations.test(id, signal);
        const list = session.command`message list --workspace ${workspace} --destination ${id}`;
        return {
          result: { messageId },
          lines: [`Sending message ${messageId}. See the result in a moment:`, `  ${list}`],
        };
      }),
    );
}

function addDelete(destination: Command, run: RunCommand): void {
  ofOne(destination, 'delete', 'Permanently delete a destination. What waits for it is not sent.')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('destination delete dest_… --workspace ws_… --yes'))
    .action((id: string, { workspace, ...options }: OfWorkspace & { yes?: boolean }) =>
      run(async (session) => {
        const action = `permanently delete destination ${id} of ${placeOf(session.outputs)}`;
        await confirm(action, options, session.terminal);
        const { destinations, signal } = await openDestinations(session, workspace);
        await destinations.remove(id, signal);
        return { result: { destinationId: id }, lines: [`Deleted destination ${id}.`] };
      }),
    );
}
