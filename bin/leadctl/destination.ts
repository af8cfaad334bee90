import { type Command, Option } from 'commander';
import {
  DESTINATION_EVENTS,
  DESTINATION_KINDS,
  type DestinationKind,
} from '../../lambdas/sending/destination.ts';
import { UsageFailure } from '../operator/failure.ts';
import { table } from '../operator/terminal.ts';
import { examples, idOf } from './command-line.ts';
import { addDestinationChanges } from './destination-changes.ts';
import { addressOf, describeDestination, openDestinations, stateOf } from './open-destinations.ts';
import { readSecret } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';

export function addDestinationCommands(destination: Command, run: RunCommand): void {
  addList(destination, run);
  addCreate(destination, run);
  addShow(destination, run);
  addDestinationChanges(destination, run);
}

function addList(destination: Command, run: RunCommand): void {
  destination
    .command('list')
    .description('List the destinations of a workspace, oldest first.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .addHelpText('after', examples('destination list --workspace ws_…'))
    .action(({ workspace }: { workspace: string }) =>
      run(async (session) => {
        const { destinations, signal, view } = await openDestinations(session, workspace);
        const result = await view(await destinations.list(signal));
        const rows = result.map((each) => [
          ...[each.destinationId, each.kind, stateOf(each), addressOf(each), each.name],
        ]);
        const create = session.command`destination create --workspace ${workspace} --kind webhook --url https://…`;
        const none = ['No destinations yet. Create one:', `  ${create}`];
        return {
          result,
          lines: rows.length > 0 ? table(['ID', 'KIND', 'STATE', 'ADDRESS', 'NAME'], rows) : none,
        };
      }),
    );
}

function addShow(destination: Command, run: RunCommand): void {
  destination
    .command('show')
    .description('Show the settings and the health of a destination.')
    .argument('<id>', 'destination ID, such as dest_…', idOf('destination'))
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .addHelpText('after', examples('destination show dest_… --workspace ws_…'))
    .action((id: string, { workspace }: { workspace: string }) =>
      run(async (session) => {
        const { destinations, signal, viewOne } = await openDestinations(session, workspace);
        const result = await viewOne(await destinations.require(id, signal));
        return { result, lines: describeDestination(result) };
      }),
    );
}

interface CreateOptions {
  readonly workspace: string;
  readonly kind: DestinationKind;
  readonly url?: string;
  readonly urlStdin?: boolean;
  readonly email?: string;
  readonly name?: string;
  readonly event?: readonly string[];
  readonly form?: readonly string[];
  readonly allLeads?: boolean;
  readonly includeFields?: boolean;
}

const HELP = `
It gets what happens from now on. Webhooks are signed as Standard Webhooks defines it and always contain the
lead's fields. Slack and email messages contain them only with --include-fields.

The URL of a Slack webhook is a secret: with --url-stdin it stays out of the shell history. To try a webhook on this
machine, see leadctl listen.
`;

function addCreate(destination: Command, run: RunCommand): void {
  destination
    .command('create')
    .description('Create a destination. Prints the signing secret of a webhook, this once.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .addOption(
      new Option('--kind <kind>', 'what it is').choices([...DESTINATION_KINDS]).makeOptionMandatory(),
    )
    .option('--url <url>', 'https URL of a webhook or of a Slack incoming webhook')
    .option('--url-stdin', 'read the URL from standard input')
    .option('--email <address>', 'recipient of email')
    .option('--name <name>', 'display name, up to 100 characters')
    .option(
      '--event <event>',
      `${DESTINATION_EVENTS.join(', ')}; repeatable; default: ${DESTINATION_EVENTS[0]}`,
      collect,
    )
    .option('--form <id>', 'only leads and alerts of this form; repeatable; default: all forms', collectForm)
    .option('--all-leads', 'also leads that are not clean')
    .option('--include-fields', 'Slack and email: include the field values of the lead')
    .addHelpText(
      'after',
      HELP +
        examples(
          'destination create --workspace ws_… --kind webhook --url https://crm.example.com/leads',
          'destination create --workspace ws_… --kind slack --url-stdin < slack-url.txt',
          'destination create --workspace ws_… --kind email --email sales@example.com',
        ),
    )
    .action((options: CreateOptions) => {
      if (options.url !== undefined && options.urlStdin) {
        throw new UsageFailure('Pass --url or --url-stdin, not both.');
      }
      return run((session) => create(session, options));
    });
}

const collect = (text: string, before: readonly string[] = []) => [...before, text];
const collectForm = (text: string, before: readonly string[] = []) => [...before, idOf('form')(text)];

async function create(session: Session, options: CreateOptions) {
  const { workspace, kind, email, name, event, form, allLeads, includeFields } = options;
  const url = options.urlStdin ? await readSecret(session.terminal.stdin) : options.url;
  const { destinations, signal, viewOne } = await openDestinations(session, workspace);
  const choice = { kind, url, email, name, events: event, forms: form, includeFields };
  const { destination, signingSecret } = await destinations.create(
    { ...choice, onlyClean: !allLeads },
    signal,
  );
  const view = await viewOne(destination);
  const { destinationId } = destination;
  const isLocal = destination.url?.startsWith('http:') ?? false;
  return {
    result: { ...view, signingSecret },
    lines: [
      `Created destination ${destinationId} (${destination.name}).`,
      ...(signingSecret === undefined ? [] : ['', ...showSecret(signingSecret)]),
      ...(isLocal
        ? ['', 'Messages are sent there only by a stack started with --allow-loopback-destinations.']
        : []),
      ...(kind === 'email'
        ? [
            '',
            `Messages wait until ${destination.email} has confirmed with the link in an email, unless a member of`,
            'the workspace has this address.',
          ]
        : []),
      '',
      'Send a test message:',
      `  ${session.command`destination test ${destinationId} --workspace ${workspace}`}`,
    ],
  };
}

export function showSecret(signingSecret: string): string[] {
  return [
    'Signing secret, for the receiver to verify messages:',
    '',
    `  ${signingSecret}`,
    '',
    'This secret is shown only once.',
  ];
}
