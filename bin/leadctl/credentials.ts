import type { Command } from 'commander';
import { placeOf, serverUrl, webhookUrl } from '../operator/stack-outputs.ts';
import { table } from '../operator/terminal.ts';
import { examples, idOf, readDuration } from './command-line.ts';
import { confirm, readSecret } from './operator-input.ts';
import type { RunCommand } from './session.ts';
import { openContents, requireWorkspace } from './stack-contents.ts';

export function addSecretCommands(program: Command, run: RunCommand): void {
  const secret = program
    .command('secret')
    .description('Manage webhook secrets, which providers sign their requests with.');
  addSet(secret, run);
  addRotate(secret, run);
}

function addSet(secret: Command, run: RunCommand): void {
  secret
    .command('set')
    .description(
      'Set the webhook secret of a form, replacing any existing one. Generates one unless you pass --stdin.',
    )
    .requiredOption('--form <id>', 'form ID', idOf('form'))
    .option('--stdin', 'read your own secret from standard input')
    .addHelpText(
      'after',
      examples('secret set --form form_…', 'secret set --form form_… --stdin < secret.txt'),
    )
    .action(({ form: formId, stdin }: { form: string; stdin?: boolean }) =>
      run(async ({ administration, outputs, terminal }) => {
        const own = stdin ? await readSecret(terminal.stdin) : undefined;
        const { secret: value, ...set } = await administration.setSecret({
          formId,
          ...(own !== undefined && { secret: own }),
        });
        const url = webhookUrl(outputs, set.slug);
        return own === undefined
          ? { result: { ...set, secret: value }, lines: [...show(formId, value), '', ...next(url)] }
          : {
              result: set,
              lines: [`Set the webhook secret of form ${formId} (${set.slug}).`, '', ...next(url)],
            };
      }),
    );
}

function addRotate(secret: Command, run: RunCommand): void {
  secret
    .command('rotate')
    .description(
      'Replace the webhook secret of a form. The old secret stops working immediately, or after --grace.',
    )
    .requiredOption('--form <id>', 'form ID', idOf('form'))
    .option(
      '--grace <duration>',
      'how long the old secret keeps working: 0, 90m, 24h, up to 7d',
      readDuration,
      0,
    )
    .addHelpText(
      'after',
      examples('secret rotate --form form_… --grace 24h', 'secret rotate --form form_…   # after a leak'),
    )
    .action(({ form: formId, grace: graceMilliseconds }: { form: string; grace: number }) =>
      run(async ({ administration, outputs }) => {
        const rotated = await administration.rotateSecret({ formId, graceMilliseconds });
        const until = 'previousWorksUntil' in rotated ? rotated.previousWorksUntil : undefined;
        return {
          result: rotated,
          lines: [
            ...show(formId, rotated.secret),
            until ? `The old secret works until ${until}.` : 'The old secret no longer works.',
            '',
            ...next(webhookUrl(outputs, rotated.slug)),
          ],
        };
      }),
    );
}

function show(formId: string, secret: string): string[] {
  return [
    `New webhook secret of form ${formId}:`,
    '',
    `  ${secret}`,
    '',
    'This secret is shown only once. Give it to the provider now.',
  ];
}

function next(url: string): string[] {
  return [
    `The provider sends JSON by POST to ${url}`,
    'with X-SVC-Timestamp (Unix time in seconds) and X-SVC-Signature: the hex HMAC-SHA256, keyed with this secret,',
    'of the timestamp, a dot, and the exact body.',
  ];
}

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
