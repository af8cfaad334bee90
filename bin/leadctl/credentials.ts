import { type Command, Option } from 'commander';
import { placeOf, serverUrl, webhookUrl } from '../operator/stack-outputs.ts';
import { table } from '../operator/terminal.ts';
import { examples, idOf, readDuration } from './command-line.ts';
import { confirm, readSecret } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';
import { openContents, requireForm, requireWorkspace } from './stack-contents.ts';

export function addSecretCommands(secret: Command, run: RunCommand): void {
  addSet(secret, run);
  addRotate(secret, run);
}

function addSet(secret: Command, run: RunCommand): void {
  secret
    .command('set')
    .description(
      'Set the webhook secret of a form. Generates one unless you pass --stdin. An existing secret stops working immediately; use rotate to keep it for a while.',
    )
    .requiredOption('--form <id>', 'form ID', idOf('form'))
    .option('--stdin', 'read your own secret from standard input')
    .option('--yes', 'replace an existing secret without confirmation')
    .addHelpText(
      'after',
      examples('secret set --form form_…', 'secret set --form form_… --stdin --yes < secret.txt'),
    )
    .action(({ form: formId, stdin, ...options }: { form: string; stdin?: boolean; yes?: boolean }) =>
      run(async (session) => {
        const { administration, outputs, terminal } = session;
        const own = stdin ? await readSecret(terminal.stdin) : undefined;
        await confirmReplacing(session, formId, 0, options);
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

interface RotateOptions {
  readonly form: string;
  readonly grace: number;
  readonly yes?: boolean;
}

/** As the console suggests. */
const SUGGESTED_GRACE_MS = 24 * 60 * 60 * 1000;

function addRotate(secret: Command, run: RunCommand): void {
  secret
    .command('rotate')
    .description(
      'Replace the webhook secret of a form. The old secret works for 24 more hours, or as long as --grace says.',
    )
    .requiredOption('--form <id>', 'form ID', idOf('form'))
    .addOption(
      new Option('--grace <duration>', 'how long the old secret keeps working: 0, 90m, 24h, up to 7d')
        .argParser(readDuration)
        .default(SUGGESTED_GRACE_MS, '24h'),
    )
    .option('--yes', 'skip the confirmation')
    .addHelpText(
      'after',
      examples('secret rotate --form form_…', 'secret rotate --form form_… --grace 0 --yes   # after a leak'),
    )
    .action(({ form: formId, grace: graceMilliseconds, ...options }: RotateOptions) =>
      run(async (session) => {
        const { administration, outputs } = session;
        const { requireGrace } = await import('../../lambdas/workspaces/secret-slot-store.ts');
        requireGrace(graceMilliseconds);
        await confirmReplacing(session, formId, graceMilliseconds, options);
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

/** Asks only if there is a secret: senders that sign with it would be rejected. */
async function confirmReplacing(
  session: Session,
  formId: string,
  graceMilliseconds: number,
  options: { yes?: boolean },
): Promise<void> {
  if (options.yes) return;
  const form = await requireForm(session, formId);
  const contents = await openContents(session);
  const [found] = await contents.readSecrets([form], AbortSignal.timeout(15_000));
  if (found?.secret === undefined) return;
  const until = new Date(Date.now() + graceMilliseconds).toISOString();
  const ends = graceMilliseconds > 0 ? `at ${until}` : 'at once';
  const action = `replace the webhook secret of form ${formId} (${form.name}) of ${placeOf(session.outputs)}. Submissions signed with the current secret are rejected`;
  await confirm(`${action} ${ends}`, options, session.terminal);
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

export function addTokenCommands(token: Command, run: RunCommand): void {
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
            `  ${command`token revoke ${made.tokenId}`}`,
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
          `  ${session.command`token create --form form_…`}`,
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
