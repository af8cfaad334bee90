import type { Command } from 'commander';
import { placeOf, serverUrl } from '../operator/stack-outputs.ts';
import { examples, idOf } from './command-line.ts';
import { confirm } from './operator-input.ts';
import { table } from './print.ts';
import type { RunCommand } from './session.ts';
import { openContents, requireWorkspace } from './stack-contents.ts';

export function addTokenCommands(program: Command, run: RunCommand): void {
  const token = program
    .command('token')
    .description('Manage server tokens, which backends send leads with. Each belongs to one form.');
  addCreate(token, run);
  addList(token, run);
  addRevoke(token, run);
}

function addCreate(token: Command, run: RunCommand): void {
  token
    .command('create')
    .description('Create a server token. It is shown once and stored as a hash.')
    .requiredOption('--form <id>', 'form ID that its leads belong to', idOf('form'))
    .option('--name <name>', 'display name, up to 100 characters')
    .addHelpText(
      'after',
      examples('token create --form form_… --name "CRM backend"', 'token create --form form_… --json'),
    )
    .action(({ form: formId, name }: { form: string; name?: string }) =>
      run(async ({ administration, outputs, command }) => {
        const made = await administration.createToken({ formId, ...(name !== undefined && { name }) });
        return {
          result: made,
          lines: [
            `Created server token ${made.tokenId} (${made.name}) for form ${formId} (${made.slug}):`,
            '',
            `  ${made.token}`,
            '',
            'This token is shown only once. Store it now, where the backend keeps its secrets.',
            '',
            'Send a lead with it (here in the variable TOKEN):',
            `  curl ${serverUrl(outputs)} -H "Authorization: Bearer $TOKEN" \\`,
            `    -H 'Content-Type: application/json' -d '{"email":"ada@example.com"}'`,
            'If it leaks:',
            `  ${command(`token revoke ${made.tokenId}`)}`,
          ],
        };
      }),
    );
}

function addList(token: Command, run: RunCommand): void {
  token
    .command('list')
    .description('List the server tokens of a workspace, oldest first, with ID and last four characters.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .addHelpText('after', examples('token list --workspace ws_…'))
    .action(({ workspace: workspaceId }: { workspace: string }) =>
      run(async (session) => {
        await requireWorkspace(session, workspaceId);
        const tokens = await (await openContents(session)).listTokens(workspaceId);
        const result = tokens
          .map(({ tokenId, formId, type, name, lastFour, createdAt, revokedAt }) => ({
            tokenId,
            formId,
            type,
            name,
            lastFour,
            createdAt,
            ...(revokedAt && { revokedAt }),
          }))
          .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
        const rows = result.map((each) => [
          each.tokenId,
          each.formId,
          `…${each.lastFour}`,
          each.revokedAt ? 'revoked' : 'active',
          each.createdAt,
          each.name,
        ]);
        const none = [
          'No server tokens yet. Create one:',
          `  ${session.command('token create --form form_…')}`,
        ];
        const header = ['ID', 'FORM', 'ENDS IN', 'STATE', 'CREATED', 'NAME'];
        return { result, lines: rows.length > 0 ? table(header, rows) : none };
      }),
    );
}

function addRevoke(token: Command, run: RunCommand): void {
  token
    .command('revoke')
    .description('Permanently revoke a server token. Submissions with it are rejected.')
    .argument('<id>', 'token ID, such as tok_… (never the token itself)', idOf('token'))
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('token revoke tok_…', 'token revoke tok_… --yes --json'))
    .action((tokenId: string, options: { yes?: boolean }) =>
      run(async ({ administration, outputs, terminal }) => {
        await confirm(`permanently revoke server token ${tokenId} of ${placeOf(outputs)}`, options, terminal);
        const revoked = await administration.revokeToken(tokenId);
        return {
          result: revoked,
          lines: [
            `Revoked server token ${tokenId} at ${revoked.revokedAt}. Submissions with it are rejected.`,
          ],
        };
      }),
    );
}
