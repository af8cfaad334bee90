import { randomInt } from 'node:crypto';
import type { Command } from 'commander';
import { examples, idOf } from './command-line.ts';
import { Failure, UsageFailure } from './failure.ts';
import { confirm } from './operator-input.ts';
import { table } from './print.ts';
import type { RunCommand } from './session.ts';
import { requireOwners, requireWorkspace } from './stack-contents.ts';
import { placeOf } from './stack-outputs.ts';

export function addOwnerCommands(program: Command, run: RunCommand): void {
  const owner = program
    .command('owner')
    .description('Owners: who may sign in to the settings of a workspace. Nobody can sign up alone.');
  addInvite(owner, run);
  addList(owner, run);
  addRemove(owner, run);
}

interface InviteOptions {
  readonly workspace: string;
  readonly email: string;
  readonly showPassword?: boolean;
}

function addInvite(owner: Command, run: RunCommand): void {
  owner
    .command('invite')
    .description('Make an owner. Cognito mails a password for the first sign-in, or it is shown here, once.')
    .requiredOption('--workspace <id>', 'the workspace; it cannot be changed later', idOf('workspace'))
    .requiredOption('--email <email>', 'the address to sign in with', emailAddress)
    .option('--show-password', 'mail nothing, and show a password for the first sign-in')
    .addHelpText(
      'after',
      examples(
        'owner invite --workspace ws_… --email ada@example.com',
        'owner invite --workspace ws_… --email ada@example.com --show-password',
      ),
    )
    .action(({ workspace: workspaceId, email, showPassword }: InviteOptions) =>
      run(async (session) => {
        const owners = await requireOwners(session);
        await requireWorkspace(session, workspaceId);
        const password = showPassword ? makePassword() : undefined;
        const made = await owners
          .invite({ email, workspaceId, ...(password && { password }) })
          .catch((error: Error) => {
            throw explainRefusal(error);
          });
        return {
          result: {
            email,
            workspaceId,
            status: made.status,
            ...(password && { temporaryPassword: password }),
          },
          lines: [
            `Made ${email} an owner of workspace ${workspaceId}.`,
            ...(password
              ? [
                  '',
                  `  ${password}`,
                  '',
                  'It will not be shown again, and has to be changed at the first sign-in.',
                ]
              : ['Cognito has mailed a password for the first sign-in.']),
            ...(session.outputs.consoleUrl ? [`They sign in at ${session.outputs.consoleUrl}`] : []),
          ],
        };
      }),
    );
}

function addList(owner: Command, run: RunCommand): void {
  owner
    .command('list')
    .description('List the owners of a workspace. Reads all users of the stack.')
    .requiredOption('--workspace <id>', 'the workspace', idOf('workspace'))
    .addHelpText('after', examples('owner list --workspace ws_…'))
    .action(({ workspace: workspaceId }: { workspace: string }) =>
      run(async (session) => {
        const owners = await requireOwners(session);
        await requireWorkspace(session, workspaceId);
        const found = await owners.list(workspaceId);
        const rows = found.map(({ email, status, createdAt }) => [status, createdAt ?? '', email]);
        const none = [
          'There are no owners yet. Invite one:',
          `  ${session.command(`owner invite --workspace ${workspaceId} --email …`)}`,
        ];
        return { result: found, lines: rows.length > 0 ? table(['STATUS', 'CREATED', 'EMAIL'], rows) : none };
      }),
    );
}

function addRemove(owner: Command, run: RunCommand): void {
  owner
    .command('remove')
    .description(
      'Remove an owner, who can sign in no more. A token that was issued before works until it expires.',
    )
    .requiredOption('--email <email>', 'the address that they sign in with', emailAddress)
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('owner remove --email ada@example.com'))
    .action(({ email, ...options }: { email: string; yes?: boolean }) =>
      run(async (session) => {
        const owners = await requireOwners(session);
        await confirm(`remove this owner from ${placeOf(session.outputs)}`, options, session.terminal);
        if (!(await owners.remove(email)))
          throw new Failure('not_found', 'There is no owner with that address.');
        return { result: { removed: true }, lines: ['Removed the owner.'] };
      }),
    );
}

/** Cognito judges it for good; this is against an argument that is something else, and repeats none of it. */
function emailAddress(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new UsageFailure('That is no email address.');
}

/** Cognito's own words may quote the address. */
function explainRefusal(error: Error): Error {
  if (error.name === 'UsernameExistsException') {
    return new Failure('conflict', 'There is an owner with that address already.');
  }
  return error.name === 'InvalidParameterException'
    ? new Failure('invalid', 'Cognito does not take that address.', 2)
    : error;
}

const LETTERS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#%+=?@_-'] as const;
const PASSWORD_LENGTH = 20;

/** Of every kind that a policy may ask for, and without letters that look alike: somebody has to type it. */
function makePassword(): string {
  const all = LETTERS.join('');
  const of = (letters: string) => letters[randomInt(letters.length)] as string;
  const picked = [...LETTERS, ...Array.from({ length: PASSWORD_LENGTH - LETTERS.length }, () => all)].map(of);
  for (let last = picked.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [picked[last], picked[other]] = [picked[other] as string, picked[last] as string];
  }
  return picked.join('');
}
