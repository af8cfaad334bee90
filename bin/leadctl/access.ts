import type { Command } from 'commander';
import { placeOf } from '../operator/stack-outputs.ts';
import { table } from '../operator/terminal.ts';
import { examples, idOf } from './command-line.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';
import { requireWorkspace } from './stack-contents.ts';

export function addApiKeyCommands(apiKey: Command, run: RunCommand): void {
  addKeyList(apiKey, run);
  addKeyRevoke(apiKey, run);
}

export function addMemberCommands(member: Command, run: RunCommand): void {
  member
    .command('list')
    .description(
      'List the members of a workspace. An owner who was invited by an earlier version is missing until the next sign-in.',
    )
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .addHelpText('after', examples('member list --workspace ws_…'))
    .action(({ workspace: workspaceId }: { workspace: string }) =>
      run(async (session) => {
        await requireWorkspace(session, workspaceId);
        const { makeTeam } = await import('../../lambdas/access/team-store.ts');
        const { members } = await makeTeam({ ...session, now: Date.now }).list(workspaceId);
        const found = members.map(({ memberId, role, email, invitedAt, joinedAt }) => ({
          memberId,
          role,
          email,
          invitedAt,
          joinedAt,
        }));
        const rows = found.map(({ memberId, role, email, joinedAt }) => [
          memberId,
          role,
          joinedAt ?? '-',
          email,
        ]);
        const lines =
          rows.length > 0 ? table(['MEMBER', 'ROLE', 'JOINED', 'EMAIL'], rows) : ['No members yet.'];
        return { result: found, lines };
      }),
    );
}

/** Loaded late: help does not need the SDK. */
export async function openApiKeys({ client, tables }: Session, workspaceId: string) {
  const [{ makeApiKeys }, { randomBytes }] = await Promise.all([
    import('../../lambdas/access/api-keys-store.ts'),
    import('node:crypto'),
  ]);
  return makeApiKeys({ client, tables, now: Date.now, randomBytes })(workspaceId);
}

function addKeyList(apiKey: Command, run: RunCommand): void {
  apiKey
    .command('list')
    .description(
      'List the API keys of a workspace, including revoked ones. The keys themselves are not stored.',
    )
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .addHelpText('after', examples('api-key list --workspace ws_…'))
    .action(({ workspace: workspaceId }: { workspace: string }) =>
      run(async (session) => {
        await requireWorkspace(session, workspaceId);
        const keys = await (await openApiKeys(session, workspaceId)).list();
        const found = keys.map(({ keyId, name, scopes, createdAt, lastUsedAt, revokedAt }) => ({
          keyId,
          name,
          scopes,
          createdAt,
          lastUsedAt,
          revokedAt,
        }));
        const rows = found.map(({ keyId, name, scopes, lastUsedAt, revokedAt }) => [
          keyId,
          revokedAt === undefined ? 'active' : 'revoked',
          lastUsedAt ?? '-',
          scopes.join(' '),
          name,
        ]);
        const header = ['KEY', 'STATUS', 'LAST USED', 'SCOPES', 'NAME'];
        return { result: found, lines: rows.length > 0 ? table(header, rows) : ['No API keys.'] };
      }),
    );
}

interface RevokeOptions {
  readonly workspace: string;
  readonly yes?: boolean;
}

function addKeyRevoke(apiKey: Command, run: RunCommand): void {
  apiKey
    .command('revoke')
    .argument('<key-id>', 'API key ID', idOf('API key'))
    .description('Revoke an API key. It stops working with the next request.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('api-key revoke key_… --workspace ws_…'))
    .action((keyId: string, { workspace: workspaceId, ...options }: RevokeOptions) =>
      run(async (session) => {
        await requireWorkspace(session, workspaceId);
        await confirm(`revoke ${keyId} in ${placeOf(session.outputs)}`, options, session.terminal);
        const revoked = await (await openApiKeys(session, workspaceId)).revoke(keyId);
        return { result: revoked, lines: [`Revoked ${keyId}.`] };
      }),
    );
}
