import { randomInt } from 'node:crypto';
import type { Command } from 'commander';
import type { NewMember } from '../../lambdas/access/members-store.ts';
import { Failure, UsageFailure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { table } from '../operator/terminal.ts';
import { openApiKeys } from './access.ts';
import { examples, idOf } from './command-line.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';
import { requireOwners, requireWorkspace } from './stack-contents.ts';

export function addOwnerCommands(owner: Command, run: RunCommand): void {
  addInvite(owner, run);
  addList(owner, run);
  addResetPassword(owner, run);
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
    .description('Invite an owner. Cognito emails a temporary password, unless you pass --show-password.')
    .requiredOption('--workspace <id>', 'workspace ID; it cannot be changed later', idOf('workspace'))
    .requiredOption('--email <email>', 'email address to sign in with', emailAddress)
    .option('--show-password', 'send no email, and print the temporary password once')
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
        if (made.userId !== undefined) {
          const member = { workspaceId, userId: made.userId, role: 'owner', email } as const;
          await (await openTeam(session)).add(member);
        }
        return {
          result: {
            email,
            workspaceId,
            status: made.status,
            ...(password && { temporaryPassword: password }),
          },
          lines: [
            `Invited ${email} as an owner of workspace ${workspaceId}.`,
            ...(password ? passwordLines(password) : [emailedLine(session)]),
            ...(session.outputs.consoleUrl ? [`Sign in at ${session.outputs.consoleUrl}`] : []),
          ],
        };
      }),
    );
}

function addList(owner: Command, run: RunCommand): void {
  owner
    .command('list')
    .description('List the owners of a workspace. Reads all users of the stack.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .addHelpText('after', examples('owner list --workspace ws_…'))
    .action(({ workspace: workspaceId }: { workspace: string }) =>
      run(async (session) => {
        const owners = await requireOwners(session);
        await requireWorkspace(session, workspaceId);
        const found = await owners.list(workspaceId);
        const rows = found.map(({ email, status, createdAt }) => [status, createdAt ?? '', email]);
        const none = [
          'No owners yet. Invite one:',
          `  ${session.command`owner invite --workspace ${workspaceId} --email …`}`,
        ];
        return { result: found, lines: rows.length > 0 ? table(['STATUS', 'CREATED', 'EMAIL'], rows) : none };
      }),
    );
}

function addResetPassword(owner: Command, run: RunCommand): void {
  owner
    .command('reset-password')
    .description(
      'Set a temporary password, print it once, and sign the owner or viewer out everywhere. Their second factor stays.',
    )
    .requiredOption('--email <email>', 'email address of the owner', emailAddress)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('owner reset-password --email ada@example.com'))
    .action(({ email, ...options }: { email: string; yes?: boolean }) =>
      run(async (session) => {
        const owners = await requireOwners(session);
        const action = `reset the password of this owner in ${placeOf(session.outputs)}`;
        await confirm(action, options, session.terminal);
        const password = makePassword();
        if (!(await owners.resetPassword(email, password))) {
          throw new Failure('not_found', 'No owner has this email address.');
        }
        return {
          result: { email, temporaryPassword: password },
          lines: [
            'Reset the password and ended all sessions. ID tokens that were issued before stay valid for up to 60 minutes.',
            ...passwordLines(password),
          ],
        };
      }),
    );
}

function emailedLine({ outputs: { localMailFolder } }: Session): string {
  return localMailFolder
    ? `The email with a temporary password is in ${localMailFolder}: nothing is sent from this machine.`
    : 'Cognito has emailed a temporary password.';
}

function passwordLines(password: string): string[] {
  const once = 'This temporary password is shown only once. It must be changed at the first sign-in.';
  return ['', `  ${password}`, '', once];
}

function addRemove(owner: Command, run: RunCommand): void {
  owner
    .command('remove')
    .description('Remove an owner or viewer. Open sessions end with the next request.')
    .requiredOption('--email <email>', 'email address of the owner', emailAddress)
    .option('--revoke-api-keys', 'also revoke the API keys that they created')
    .option('--yes', 'skip the confirmation')
    .addHelpText(
      'after',
      examples(
        'owner remove --email ada@example.com',
        'owner remove --email ada@example.com --revoke-api-keys',
      ),
    )
    .action(({ email, revokeApiKeys = false, ...options }: RemoveOptions) =>
      run(async (session) => {
        const owners = await requireOwners(session);
        const action = revokeApiKeys ? 'remove this owner, and revoke their API keys,' : 'remove this owner';
        await confirm(`${action} from ${placeOf(session.outputs)}`, options, session.terminal);
        const found = await owners.find(email);
        if (!found) throw new Failure('not_found', 'No owner has this email address.');
        const { workspaceId, userId } = found;
        if (!workspaceId || !userId) {
          await owners.remove(email);
          return { result: { removed: true, apiKeys: [] }, lines: ['Removed the owner.'] };
        }
        const team = await openTeam(session);
        // First, so that open sessions end even if Cognito fails.
        await team.dismiss(workspaceId, userId);
        // Before the user is gone: the command could not be repeated then.
        const apiKeys = await settleKeys(session, { workspaceId, userId, email }, revokeApiKeys);
        await owners.remove(email);
        await team.noteUserDeleted(workspaceId, userId);
        const lines = ['Removed the owner.', ...keyLines(session, workspaceId, apiKeys)];
        return { result: { removed: true, apiKeys }, lines };
      }),
    );
}

interface RemoveOptions {
  readonly email: string;
  readonly revokeApiKeys?: boolean;
  readonly yes?: boolean;
}

type Maker = Pick<NewMember, 'workspaceId' | 'userId' | 'email'>;

/** The keys that they made and that worked until now. */
async function settleKeys(session: Session, { workspaceId, userId, email }: Maker, revoke: boolean) {
  const { memberIdOf } = await import('../../lambdas/owner-api/principal.ts');
  const { madeBy, revokeKey } = await openApiKeys(session, workspaceId);
  const keys = await madeBy({ memberId: memberIdOf(workspaceId, userId), email });
  if (revoke) for (const key of keys) await revokeKey(key);
  return keys.map(({ keyId, name, scopes }) => ({ keyId, name, scopes, revoked: revoke }));
}

function keyLines(session: Session, workspaceId: string, keys: Awaited<ReturnType<typeof settleKeys>>) {
  const [first] = keys;
  if (first === undefined) return [];
  const rows = keys.map(({ keyId, scopes, name }) => [keyId, scopes.join(' '), name]);
  const listed = table(['KEY', 'SCOPES', 'NAME'], rows);
  if (first.revoked) return ['Revoked the API keys that they created:', '', ...listed];
  const command = session.command`api-key revoke ${first.keyId} --workspace ${workspaceId}`;
  return ['API keys that they created still work:', '', ...listed, '', 'To revoke one:', `  ${command}`];
}

/** Loaded late: help does not need the SDK. */
async function openTeam({ client, tables }: Session) {
  const { makeTeam } = await import('../../lambdas/access/team-store.ts');
  return makeTeam({ client, tables, now: Date.now });
}

/** Catches obvious mistakes; Cognito decides. The value is not repeated, because it may be a secret. */
function emailAddress(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new UsageFailure('Invalid email address.');
}

/** Cognito's message may contain the address. */
function explainRefusal(error: Error): Error {
  if (error.name === 'UsernameExistsException') {
    return new Failure('conflict', 'An owner with this email address already exists.');
  }
  return error.name === 'InvalidParameterException'
    ? new Failure('invalid', 'Cognito rejected this email address.', 2)
    : error;
}

const LETTERS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#%+=?@_-'] as const;
const PASSWORD_LENGTH = 20;

/** Has every kind of character that a policy may require, and no lookalikes: somebody has to type it. */
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
