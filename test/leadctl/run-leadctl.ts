import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll } from '@jest/globals';
import type { Command } from 'commander';
import { main } from '../../bin/leadctl/main.ts';
import { type OpenStack, openStack } from '../../bin/operator/open-stack.ts';
import { type Lead, makeLeadId, toLeadItem } from '../../lambdas/model/lead-item.ts';
import { setAttributes } from '../stored-items.ts';

type Item = Record<string, unknown>;
type FormIds = Pick<Lead, 'workspaceId' | 'formId'>;

/** The stack of the test run with test data, created by the operations that leadctl itself calls. Closed after the tests. */
export function openTestStack() {
  const { administration, client, outputs, queueClient, tables } = openStack(testOutputsFile());
  afterAll(() => {
    client.destroy();
    queueClient.destroy();
  });

  async function read(table: string, Key: Item): Promise<Item | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item;
  }
  const workspaceItem = (workspaceId: string) => read(tables.workspaces, { workspaceId });

  return {
    administration,
    client,
    outputs,
    queueClient,
    tables,
    workspaceItem,
    configVersion: async (workspaceId: string) => (await workspaceItem(workspaceId))?.configVersion as number,
    formItem: (slug: string, formId: string) => read(tables.forms, { slug, formId }),
    secretItem: (slug: string, formId: string) => read(tables.formSecrets, { slug, formId }),
    tokenItem: (tokenHash: string) => read(tables.tokens, { tokenHash }),
    newForm: async () => {
      const { workspaceId } = await administration.createWorkspace({ name: 'leadctl test' });
      return administration.createForm({ workspaceId, name: 'Contact us' });
    },
    /** A form that accepts leads on both surfaces. */
    newTenant: async () => {
      const { workspaceId } = await administration.createWorkspace({ name: 'leadctl test' });
      const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact us' });
      const [{ secret }, { token, tokenId }] = await Promise.all([
        administration.setSecret({ formId }),
        administration.createToken({ formId }),
      ]);
      return { workspaceId, formId, slug, secret, token, tokenId };
    },
    /** Stores leads to a form. They are not clean unless they say so: nothing enriches them. */
    putLeads: async ({ workspaceId, formId }: FormIds, leads: readonly Partial<Lead>[]): Promise<Lead[]> => {
      const score = { score: 50, grade: 'C', clean: false, signals: [] } as const;
      const whole = leads.map((lead): Lead => {
        const ids = { leadId: makeLeadId(Date.now(), randomBytes(10)), workspaceId, formId };
        const receivedAt = new Date().toISOString();
        return { ...ids, surface: '1a', receivedAt, body: '{}', ...score, ...lead };
      });
      const items = whole.map((lead) => ({ TableName: tables.leads, Item: toLeadItem(lead) }));
      await Promise.all(items.map((item) => client.send(new PutCommand(item))));
      return whole;
    },
  };
}

/** As if its offboarding had begun long ago, so that nothing can be in flight, and there is nothing to wait for. */
export async function endSettling(stack: OpenStack, workspaceId: string): Promise<void> {
  const settled = { status: 'suspended', offboardingSince: 1 };
  await setAttributes(stack.client, stack.tables.workspaces, { workspaceId }, settled);
}

export const PROGRAM = fileURLToPath(new URL('../../bin/leadctl.ts', import.meta.url));

export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  /** What arrives on standard input, which is never a terminal here. */
  readonly stdin?: string | Buffer;
  /** The complete environment, without the developer's own variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether standard output is a terminal. */
  readonly isTTY?: boolean;
  /** As in Terminal. */
  readonly forgottenAfterMilliseconds?: number;
}

/** Runs the program in this process, which takes milliseconds. Only the AWS SDK sees the variables of the process. */
export async function runLeadctl(args: readonly string[], surroundings: Surroundings = {}): Promise<Run> {
  const { stdin = '', environment: env = {}, isTTY = false, forgottenAfterMilliseconds } = surroundings;
  const [stdout, stderr] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const input = Readable.from([Buffer.from(stdin)]);
  const exitCode = await main(args, { stdin: input, stdout, stderr, env, forgottenAfterMilliseconds });
  stdout.end();
  stderr.end();
  const [toStdout, toStderr] = await printed;
  return { exitCode, stdout: toStdout, stderr: toStderr };
}

/** Starts its own process, for commands that are interrupted or watched, or that depend on AWS variables. */
export function startLeadctl(args: readonly string[], surroundings: Surroundings = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...surroundings.environment },
    stdio: 'pipe',
  });
  return { child, run: collect(child, surroundings) };
}

async function collect(child: ChildProcessWithoutNullStreams, surroundings: Surroundings): Promise<Run> {
  // The program may end without reading.
  child.stdin.on('error', () => undefined);
  child.stdin.end(surroundings.stdin ?? '');
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      printed[name] += chunk;
    });
  }
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, ...printed };
}

/** Runs it against the stack that the test run started. */
export function onTestStack(args: readonly string[], surroundings?: Surroundings): Promise<Run> {
  return runLeadctl(['--outputs', testOutputsFile(), ...args], surroundings);
}

/** The result of a run that must succeed: one line of JSON on stdout, and nothing on stderr. */
export async function resultOf<Result>(
  args: readonly string[],
  surroundings?: Surroundings,
): Promise<Result> {
  const run = await onTestStack([...args, '--json'], surroundings);
  if (run.exitCode !== 0 || run.stderr !== '' || !/^[^\n]+\n$/.test(run.stdout)) {
    throw new Error(`not one line of JSON: ${JSON.stringify(run)}`);
  }
  return JSON.parse(run.stdout) as Result;
}

export function testOutputsFile(): string {
  const file = process.env.LEAD_INGEST_OUTPUTS;
  if (!file) throw new Error('LEAD_INGEST_OUTPUTS is not set: run the tests with npm test');
  return file;
}

/** Every command, such as `leads export`. */
export function namesOf({ commands }: Command, before = ''): string[] {
  return commands.flatMap((each) =>
    each.commands.length > 0 ? namesOf(each, `${each.name()} `) : [`${before}${each.name()}`],
  );
}
