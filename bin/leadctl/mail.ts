import type { Command } from 'commander';
import { Failure } from '../operator/failure.ts';
import { counted } from '../operator/terminal.ts';
import { examples, idOf } from './command-line.ts';
import { openDestinations } from './open-destinations.ts';
import type { RunCommand, Session } from './session.ts';

export function addMailCommands(mail: Command, run: RunCommand): void {
  addAllow(mail, run);
  addBounce(mail, run);
}

interface AllowOptions {
  readonly workspace: string;
  readonly email: string;
}

const ALLOW_HELP = `
Use it only if the recipient asked for it. An address is suppressed when its recipient stopped the emails or marked one
as spam, or when an email bounced. The recipient gets a new confirmation email. If an email bounced or was marked as
spam, remove the address from the suppression list of SES, too:

  aws sesv2 delete-suppressed-destination --email-address ADDRESS
`;

function addAllow(mail: Command, run: RunCommand): void {
  mail
    .command('allow')
    .description('Let a workspace ask an address again that was suppressed.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .requiredOption('--email <address>', 'address of the recipient')
    .addHelpText('after', ALLOW_HELP + examples('mail allow --workspace ws_… --email sales@example.com'))
    .action((options: AllowOptions) => run((session) => allow(session, options)));
}

async function allow(session: Session, { workspace, email }: AllowOptions) {
  const [{ allowRecipient }, { makeSendQueue }, { signal }] = await Promise.all([
    import('../../lambdas/operator/allow-recipient-store.ts'),
    import('../../lambdas/sending/send-queue-store.ts'),
    openDestinations(session, workspace),
  ]);
  const { client, tables, queueClient, outputs } = session;
  const queue = makeSendQueue(queueClient, { sending: outputs.sendingQueueUrl });
  const result = await allowRecipient({ client, tables, queue }, workspace, email, signal);
  const { removed, destinationIds } = result;
  return {
    result,
    lines: [
      `Removed ${counted(removed, 'suppression')} of ${email}.`,
      destinationIds.length > 0
        ? `The recipient is asked to confirm ${destinationIds.join(', ')}, unless they were asked within the last day.`
        : 'No destination of this workspace was stopped by this recipient.',
    ],
  };
}

interface BounceOptions {
  readonly workspace: string;
  readonly destination: string;
  readonly complaint?: boolean;
}

function addBounce(mail: Command, run: RunCommand): void {
  mail
    .command('bounce')
    .description('On this machine only: pretend that an email to a destination bounced.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .requiredOption('--destination <id>', 'destination ID', idOf('destination'))
    .option('--complaint', 'the recipient marked it as spam instead')
    .addHelpText('after', examples('mail bounce --workspace ws_… --destination dest_…'))
    .action((options: BounceOptions) => run((session) => bounce(session, options)));
}

/** What SES would put on the default event bus. */
async function bounce(session: Session, { workspace, destination: id, complaint = false }: BounceOptions) {
  const { localEventBridgeEndpoint, mailConfigurationSet } = session.outputs;
  if (localEventBridgeEndpoint === undefined || mailConfigurationSet === undefined) {
    throw new Failure(
      'conflict',
      'SES reports bounces by itself. This command is for a stack on this machine.',
    );
  }
  const { destinations, signal } = await openDestinations(session, workspace);
  const { email, name } = await destinations.require(id, signal);
  if (email === undefined) throw new Failure('conflict', `Destination ${id} (${name}) sends no email.`);
  const recipients = [{ emailAddress: email }];
  const detail = {
    eventType: complaint ? 'Complaint' : 'Bounce',
    ...(complaint
      ? { complaint: { complainedRecipients: recipients } }
      : { bounce: { bounceType: 'Permanent', bouncedRecipients: recipients } }),
    mail: {
      destination: [email],
      tags: {
        'ses:configuration-set': [mailConfigurationSet],
        workspaceId: [workspace],
        destinationId: [id],
      },
    },
  };
  const { EventBridgeClient, PutEventsCommand } = await import('@aws-sdk/client-eventbridge');
  const client = new EventBridgeClient({
    endpoint: localEventBridgeEndpoint,
    region: session.outputs.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const DetailType = complaint ? 'Email Complaint Received' : 'Email Bounced';
  const Entries = [{ Source: 'aws.ses', DetailType, Detail: JSON.stringify(detail) }];
  await client.send(new PutEventsCommand({ Entries }), { abortSignal: signal });
  client.destroy();
  return {
    result: { destinationId: id, event: DetailType },
    lines: [
      `Reported a ${complaint ? 'complaint' : 'bounce'} of ${email}. The destination is disabled in a moment.`,
    ],
  };
}
