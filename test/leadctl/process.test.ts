import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readStackOutputs } from '../../bin/operator/stack-outputs.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { onTestStack, openTestStack, runLeadctl, startLeadctl, testOutputsFile } from './run-leadctl.ts';

describe('the process', () => {
  const stack = openTestStack();

  const environment = { LEADCTL_OUTPUTS: testOutputsFile() };

  test('the program uses its own standard input, output and environment, and exits 0', async () => {
    const { formId, slug, workspaceId } = await stack.newForm();
    const stdin = 'my own secret, ünïcode\n';
    const args = ['secret', 'set', '--form', formId, '--stdin', '--json'];
    const run = await startLeadctl(args, { stdin, environment }).run;
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toEqual({ formId, slug, workspaceId });
    expect(await stack.secretItem(slug, formId)).toMatchObject({ secret: 'my own secret, ünïcode' });
  });

  test('help loads no command, so that it is printed at once', async () => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;
    const imported = `data:text/javascript,${encodeURIComponent(hook)}`;
    const { stdout, stderr } = await startLeadctl(['--help'], {
      environment: { NODE_OPTIONS: `--import ${imported}` },
    }).run;
    expect(stdout).toMatch(/^Usage: leadctl /);
    const own = stderr.split('\n').flatMap((url) => /(?:bin|lambdas|lib)\/[\w/-]+\.ts$/.exec(url)?.[0] ?? []);
    expect(own.sort()).toEqual([
      'bin/leadctl.ts',
      'bin/leadctl/command-line.ts',
      'bin/leadctl/commands.ts',
      'bin/leadctl/main.ts',
      'bin/leadctl/session.ts',
      'bin/operator/failure.ts',
      'bin/operator/terminal.ts',
    ]);
  });

  test('the program exits with the status of a failure, which it prints to standard error', async () => {
    const run = await startLeadctl(['workspace', 'create']).run;
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^leadctl: Required option '--name <name>' not specified\. [^\n]+\n$/);
  });

  test.each(['help', 'leads export'])(
    '%s ends quietly when its reader has closed the pipe',
    async (command) => {
      const form = await stack.newForm();
      await stack.putLeads(form, [{}]);
      const args = command === 'help' ? [] : ['leads', 'export', '--form', form.formId, '--format', 'ndjson'];
      const { child, run } = startLeadctl(args, { environment });
      child.stdout.destroy();
      expect(await run).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    },
  );
});

describe('the outputs file', () => {
  type Stacks = Record<string, Record<string, unknown>>;

  const folder = temporaryFolder('leadctl test');
  let outputs: Record<string, unknown>;

  beforeAll(() => {
    outputs = Object.values(JSON.parse(readFileSync(testOutputsFile(), 'utf8')) as Stacks)[0] ?? {};
  });

  function write(name: string, content: unknown): string {
    const file = join(folder, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  function refusalOf(file: string, stack?: string): string {
    try {
      readStackOutputs(file, stack);
    } catch (error) {
      expect(error).toMatchObject({ code: 'usage', exitCode: 2 });
      return (error as Error).message;
    }
    throw new Error('it was accepted');
  }

  test('accepts --json and --outputs before and after the command, and the file from the environment', async () => {
    const file = testOutputsFile();
    const runs = await Promise.all([
      runLeadctl(['--outputs', file, '--json', 'workspace', 'list']),
      runLeadctl(['workspace', '--json', 'list', '--outputs', file]),
      runLeadctl(['workspace', 'list', '--json'], { environment: { LEADCTL_OUTPUTS: file } }),
    ]);
    for (const { exitCode, stdout } of runs) {
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toBeInstanceOf(Array);
    }
  });

  test('a wrong outputs file exits 2 with one sentence', async () => {
    const run = await runLeadctl(['--outputs', join(folder, 'nowhere.json'), 'workspace', 'list']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /^leadctl: Cannot read the outputs file .*nowhere\.json: no such file or folder [^\n]*\n$/,
    );
  });

  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(outputs).filter(([name]) => !names.includes(name)));
  const { tables, queues, ingestUrl, localDynamoDbEndpoint } = OUTPUTS;
  const SENDING = [
    ...[tables.destinations, tables.destinationSecrets, tables.messages],
    ...[queues.sending, queues.sendingDeadLetters],
  ];
  const NO_FILE = /other\.json is not an outputs file/;

  test.each<[what: string, content: () => unknown, message: RegExp]>([
    ['not JSON', () => 'BEGIN PRIVATE KEY', NO_FILE],
    ['a list', () => [], NO_FILE],
    ['empty', () => ({}), NO_FILE],
    ['some other JSON', () => ({ name: 'lead-ingest', version: '0.1.0' }), NO_FILE],
    [
      'without some outputs',
      () => ({ Other: without(ingestUrl, tables.tokens) }),
      /^Stack Other in .*other\.json has no IngestUrl, TokensTable\. /,
    ],
    [
      'of a version without destinations',
      () => ({ Earlier: without(...SENDING) }),
      /has no DestinationsTable, .*, SendingDeadLetterQueueUrl\. .*another version deployed it\. Deploy or start this version/,
    ],
    // It never falls back to AWS.
    ['damaged', () => ({ Local: { ...outputs, [localDynamoDbEndpoint]: '' } }), /is not a URL/],
  ])('refuses a file that is %s, without quoting it', (_, content, message) => {
    const refusal = refusalOf(write('other.json', content()));
    expect(refusal).toMatch(message);
    expect(refusal).not.toContain('PRIVATE');
  });

  test('asks which of several stacks is meant, and accepts --stack', async () => {
    const file = write('two.json', { Staging: outputs, Production: { ...outputs, [OUTPUTS.region]: '' } });
    expect(refusalOf(file)).toMatch('Choose one with --stack: Staging, Production');
    expect(refusalOf(file, 'Testing')).toMatch('no stack Testing. It has: Staging, Production.');
    expect(refusalOf(file, 'Production')).toMatch('Stack Production in');
    const run = await runLeadctl(['--outputs', file, 'workspace', 'list', '--stack', 'Staging']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('names next commands as they have to be typed: with the file and the stack quoted, unless the environment names the file', async () => {
    const file = write("Joe's outputs.json", { Staging: outputs });
    const create = ['workspace', 'create', '--name', 'Acme'];
    const { stdout } = await runLeadctl(['--outputs', file, '--stack', 'Staging', ...create]);
    expect(stdout).toContain(
      `npx --no-install leadctl --outputs '${folder}/Joe'\\''s outputs.json' --stack Staging form create --workspace ws_`,
    );

    const environment = { LEADCTL_OUTPUTS: testOutputsFile() };
    const short = await runLeadctl(create, { environment });
    expect(short.stdout).toMatch(
      /^ {2}npx --no-install leadctl form create --workspace ws_\w+ --name "Contact us"$/m,
    );
  });
});

describe('text from senders', () => {
  const stack = openTestStack();

  /** An escape sequence, C1's one-character form of it, and a text that is displayed in another order. */
  const HOSTILE = 'a\u001b]0;b\u0007 c\u009b31m \u202egnp.exe \u2066d\u2069 e\rf \u007f';
  const leadId = '01956f00-0000-7000-8000-000000000001';

  let formId: string;
  beforeAll(async () => {
    const form = await stack.newForm();
    formId = form.formId;
    const body = JSON.stringify({ text: HOSTILE, lines: 'one\r\ntwo\tthree' });
    await stack.putLeads(form, [{ leadId, body }]);
  });

  const COMMANDS = [
    ['an export as CSV', () => ['leads', 'export', '--form', formId, '--format', 'csv']],
    ['an export as NDJSON', () => ['leads', 'export', '--form', formId, '--format', 'ndjson']],
    ['a lead', () => ['leads', 'show', leadId]],
    ['a lead as JSON', () => ['leads', 'show', leadId, '--json']],
  ] as const;

  test('a name that an earlier version stored breaks no table', async () => {
    const workspace = await stack.administration.createWorkspace({ name: 'leadctl test' });
    const Item = { ...workspace, name: 'red \u001b[31m\nalert' };
    await stack.client.send(new PutCommand({ TableName: stack.tables.workspaces, Item }));
    const { stdout } = await onTestStack(['workspace', 'list']);
    expect(stdout).toContain(`${workspace.createdAt}  red \u{fffd}[31m\u{fffd}alert\n`);
  });

  describe('on a terminal', () => {
    test.each(COMMANDS)('%s has no control character', async (_, args) => {
      const { exitCode, stdout } = await onTestStack(args(), { isTTY: true });
      expect(exitCode).toBe(0);
      expect(stdout).toContain('gnp.exe');
      const lines = stdout.replaceAll('\r\n', '\n');
      expect(lines.match(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu)).toBeNull();
    });

    test('CSV has escapes instead, and keeps its lines and tabs', async () => {
      const { stdout } = await onTestStack(COMMANDS[0][1](), { isTTY: true });
      expect(stdout).toContain(
        'a\\u001b]0;b\\u0007 c\\u009b31m \\u202egnp.exe \\u2066d\\u2069 e\\u000df \\u007f',
      );
      expect(stdout).toContain('one\r\ntwo\tthree');
    });

    test('JSON has the same value', async () => {
      const { stdout } = await onTestStack(COMMANDS[1][1](), { isTTY: true });
      expect(JSON.parse(stdout).body.text).toBe(HOSTILE);
    });
  });

  describe('in a pipe', () => {
    test.each([COMMANDS[0]])('%s has every character unchanged', async (_, args) => {
      expect((await onTestStack(args())).stdout).toContain(HOSTILE);
    });

    test('JSON has every character that it may contain unchanged', async () => {
      const { stdout } = await onTestStack(COMMANDS[1][1]());
      expect(stdout).toContain('c\u009b31m \u202egnp.exe');
    });
  });
});
