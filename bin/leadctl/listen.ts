import { once } from 'node:events';
import type { Command } from 'commander';
import { UsageFailure } from '../operator/failure.ts';
import {
  escapedFor,
  jsonFor,
  makeInterruption,
  type Output,
  printable,
  type Terminal,
} from '../operator/terminal.ts';
import { LEADCTL, wholeNumber } from './command-line.ts';
import type { ReceivedMessage } from './listen-server.ts';
import { readSecret } from './operator-input.ts';
import type { RunCommand, Session, WithoutStack } from './session.ts';

interface ListenOptions {
  readonly port: number;
  /** No longer taken. */
  readonly secret?: string | boolean;
}

const HELP = `
Receives messages on this machine, as your own system would, to try a destination out. It checks the signature of each
request as Standard Webhooks defines it, prints genuine messages, and answers 204. It answers 401 to all others and says
why. It needs no stack and stores nothing. Press Ctrl-C to stop.

The signing secret of the destination comes from standard input, or from the variable LEADCTL_SIGNING_SECRET. It is not
an option, because the list of processes would show it.

A stack on this machine sends to 127.0.0.1 only if it was started with: npm start -- --allow-loopback-destinations
For a stack on AWS, use a tunnel with a public https address that forwards to this port.

With --json, each message is one line: messageId, receivedAt and message, which is the body. The address and refused
requests are printed to standard error.

Example:
  $ ${LEADCTL} listen --port 8080 < secret.txt
`;

export function addListenCommand(command: Command, _run: RunCommand, withoutStack: WithoutStack): void {
  command
    .requiredOption(
      '--port <n>',
      'port of 127.0.0.1 to listen on; 0 for any free port',
      wholeNumber(0, 65_535),
    )
    .addOption(command.createOption('--secret [secret]').hideHelp())
    .addHelpText('after', HELP)
    .action((options: ListenOptions) => withoutStack.run((bare) => listen(bare, options)));
}

const HOW_TO_PASS = `Pass the signing secret on standard input (${LEADCTL} listen --port 8080 < secret.txt), or set LEADCTL_SIGNING_SECRET.`;

async function signingSecret({ stdin, env }: Terminal, { secret }: ListenOptions): Promise<string> {
  if (secret !== undefined) {
    throw new UsageFailure(
      `--secret is no longer an option: other users of this machine could see it. ${HOW_TO_PASS}`,
    );
  }
  if (env.LEADCTL_SIGNING_SECRET) return env.LEADCTL_SIGNING_SECRET;
  if (stdin.isTTY) throw new UsageFailure(HOW_TO_PASS);
  return readSecret(stdin);
}

async function listen({ terminal, json }: Pick<Session, 'terminal' | 'json'>, options: ListenOptions) {
  const { closePort, describeMessage, makeListener, openPort, readSigningKey } = await import(
    './listen-server.ts'
  );
  const { stdout, stderr } = terminal;
  const server = makeListener({
    key: readSigningKey(await signingSecret(terminal, options)),
    now: Date.now,
    onMessage: (message, text) =>
      stdout.write(json ? lineOf(message, text, stdout) : `${describeMessage(message).join('\n')}\n\n`),
    onRefusal: (reason) =>
      stderr.write(json ? `${jsonFor(stderr, { refused: reason })}\n` : `Refused: ${printable(reason)}\n`),
  });
  const interruption = makeInterruption(stdout);
  try {
    const signal = interruption.signal();
    announce(await openPort(server, options.port), terminal, json);
    if (!signal.aborted) await once(signal, 'abort');
    return { exitCode: 0 };
  } finally {
    interruption.close();
    await closePort(server);
  }
}

function announce(url: string, { stdout, stderr }: Terminal, json: boolean): void {
  if (json) stderr.write(`${jsonFor(stderr, { url })}\n`);
  else stdout.write(`Listening. Enter this URL in the destination:\n\n  ${url}\n\nPress Ctrl-C to stop.\n\n`);
}

/** The body as it was sent: parsed and written again, long numbers would lose digits. */
function lineOf({ messageId, receivedAt, body }: ReceivedMessage, text: string, stdout: Output): string {
  const facts = jsonFor(stdout, { messageId, receivedAt });
  const message = /[\r\n]/.test(text) ? jsonFor(stdout, body) : escapedFor(stdout, text);
  return `${facts.slice(0, -1)},"message":${message}}\n`;
}
