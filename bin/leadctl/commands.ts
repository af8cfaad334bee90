import type { Command } from 'commander';
import type { RunCommand, WithoutStack } from './session.ts';

/** Adds options and subcommands to a command that has only its name and description. */
type Fill = (command: Command, run: RunCommand, withoutStack: WithoutStack) => void;

interface ListedCommand {
  readonly name: string;
  readonly description: string;
  /** Loaded late: help, and every other command, starts faster without it. */
  readonly load: () => Promise<Fill>;
}

/** In the order of the help: as an operator first needs them. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'doctor',
    description: 'Check an AWS account before a deployment, or a stack after it.',
    load: async () => (await import('./doctor.ts')).addDoctorCommand,
  },
  {
    name: 'workspace',
    description: 'Manage workspaces, which contain forms, leads and credentials. Limits apply per workspace.',
    load: async () => (await import('./workspace.ts')).addWorkspaceCommands,
  },
  {
    name: 'form',
    description: 'Manage forms. Each lead belongs to a form.',
    load: async () => (await import('./form.ts')).addFormCommands,
  },
  {
    name: 'secret',
    description: 'Manage webhook secrets, which providers sign their requests with.',
    load: async () => (await import('./credentials.ts')).addSecretCommands,
  },
  {
    name: 'token',
    description: 'Manage server tokens, which backends send leads with. Each belongs to one form.',
    load: async () => (await import('./credentials.ts')).addTokenCommands,
  },
  {
    name: 'owner',
    description: 'Manage owners: the people who can sign in to a workspace. There is no self sign-up.',
    load: async () => (await import('./owner.ts')).addOwnerCommands,
  },
  {
    name: 'member',
    description: 'Look at the members of a workspace: owners and viewers.',
    load: async () => (await import('./access.ts')).addMemberCommands,
  },
  {
    name: 'api-key',
    description: 'Look at the API keys of a workspace, which owners create, and revoke them.',
    load: async () => (await import('./access.ts')).addApiKeyCommands,
  },
  {
    name: 'send',
    description: 'Send test leads over HTTP, like a backend or a webhook provider.',
    load: async () => (await import('./send.ts')).addSendCommand,
  },
  {
    name: 'explain',
    description: 'Show whether the service accepts a signed request, and what is wrong with its signature.',
    load: async () => (await import('./explain-signature.ts')).addExplainCommand,
  },
  {
    name: 'leads',
    description: 'Manage leads: list, show, export, requeue, reindex and erase them.',
    load: async () => (await import('./leads.ts')).addLeadCommands,
  },
  {
    name: 'person',
    description: 'Export or erase everything of one person, by email address.',
    load: async () => (await import('./person.ts')).addPersonCommands,
  },
  {
    name: 'diagnostics',
    description: 'Show why submissions were rejected: counts by reason, rate limits, and recent events.',
    load: async () => (await import('./diagnostics.ts')).addDiagnosticsCommand,
  },
  {
    name: 'destination',
    description: 'Manage destinations, to which the lead events of a workspace are sent.',
    load: async () => (await import('./destination.ts')).addDestinationCommands,
  },
  {
    name: 'message',
    description: 'Look at messages to destinations, and send them again.',
    load: async () => (await import('./message.ts')).addMessageCommands,
  },
  {
    name: 'mail',
    description: 'Manage what the recipients of email decided.',
    load: async () => (await import('./mail.ts')).addMailCommands,
  },
  {
    name: 'alert',
    description: 'Look at the alerts of a workspace.',
    load: async () => (await import('./alert.ts')).addAlertCommands,
  },
  {
    name: 'dlq',
    description:
      'Manage dead letters: enrichments; or events, messages to destinations and updates of the search index, that failed repeatedly.',
    load: async () => (await import('./dead-letters.ts')).addDeadLetterCommands,
  },
  {
    name: 'backup',
    description: 'Copy all leads and settings of the stack to a folder. Restore them with leadctl restore.',
    load: async () => (await import('./backup.ts')).addBackupCommand,
  },
  {
    name: 'restore',
    description: 'Restore missing leads and settings from a backup or from a restored table.',
    load: async () => (await import('./restore.ts')).addRestoreCommand,
  },
  {
    name: 'listen',
    description: 'Receive messages of a destination on this machine, verify and print them.',
    load: async () => (await import('./listen.ts')).addListenCommand,
  },
  {
    name: 'completion',
    description: 'Print a script with which a shell completes commands and options.',
    load: async () => (await import('./completion.ts')).addCompletionCommand,
  },
];

/** Loads the named commands only, or all: help prints the names and descriptions of the rest. */
export async function addCommands(
  program: Command,
  isNamed: (name: string) => boolean,
  run: RunCommand,
  withoutStack: WithoutStack,
): Promise<void> {
  await Promise.all(
    COMMANDS.map(async ({ name, description, load }) => {
      const command = program.command(name).description(description);
      if (isNamed(name)) (await load())(command, run, withoutStack);
    }),
  );
}
