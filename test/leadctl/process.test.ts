import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readStackOutputs } from '../../bin/operator/stack-outputs.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { onTestStack, openTestStack, runLeadctl, startLeadctl, testOutputsFile } from './run-leadctl.ts';

describe('the process', () => {
  const stack = openTestStack();
  afterAll(stack.close);

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
      const { formId, workspaceId } = await stack.newForm();
      const score = { score: 1, grade: 'D' as const, clean: false, signals: [] };
      const lead = {
        leadId: randomUUID(),
        workspaceId,
        formId,
        surface: '1a' as const,
        body: '{}',
        ...score,
      };
      await stack.putLeads([{ ...lead, receivedAt: '2026-01-01T00:00:00.000Z' }]);
      const args = command === 'help' ? [] : ['leads', 'export', '--form', formId, '--format', 'ndjson'];
      const { child, run } = startLeadctl(args, { environment });
      child.stdout.destroy();
      expect(await run).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    },
  );

  test('a command that can be interrupted leaves no listener behind', async () => {
    const { formId } = await stack.newForm();
    const listeners = () => ['SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name));
    const before = listeners();
    await onTestStack(['leads', 'export', '--form', formId, '--format', 'csv']);
    expect(listeners()).toEqual(before);
  });
});

describe('the outputs file', () => {
  type Stacks = Record<string, Record<string, unknown>>;

  const folder = mkdtempSync(join(tmpdir(), 'leadctl test '));
  let outputs: Record<string, unknown>;

  beforeAll(() => {
    outputs = Object.values(JSON.parse(readFileSync(testOutputsFile(), 'utf8')) as Stacks)[0] ?? {};
  });
  afterAll(() => rmSync(folder, { recursive: true }));

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

  test('says what to do about a stack of a version without destinations', () => {
    const added: string[] = [
      ...[OUTPUTS.tables.destinations, OUTPUTS.tables.destinationSecrets, OUTPUTS.tables.messages],
      ...[OUTPUTS.queues.sending, OUTPUTS.queues.sendingDeadLetters],
    ];
    const earlier = Object.fromEntries(Object.entries(outputs).filter(([name]) => !added.includes(name)));
    expect(refusalOf(write('earlier.json', { Earlier: earlier }))).toMatch(
      /has no DestinationsTable, .*, SendingDeadLetterQueueUrl\. .*another version deployed it\. Deploy or start this version/,
    );
  });

  test('prefers --outputs to the file from the environment', async () => {
    const environment = { LEADCTL_OUTPUTS: join(folder, 'nowhere.json') };
    const run = await runLeadctl(['--outputs', testOutputsFile(), 'workspace', 'list'], { environment });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('a wrong outputs file exits 2 with one sentence', async () => {
    const run = await runLeadctl(['--outputs', join(folder, 'nowhere.json'), 'workspace', 'list']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /^leadctl: Cannot read the outputs file .*nowhere\.json: no such file or folder [^\n]*\n$/,
    );
  });

  test('says why a file cannot be read', () => {
    mkdirSync(join(folder, 'folder'));
    expect(refusalOf(join(folder, 'folder'))).toMatch(/folder: it is a folder \(EISDIR\)/);
  });

  test('does not quote a file that is not JSON', () => {
    const message = refusalOf(write('id_rsa', 'BEGIN PRIVATE KEY'));
    expect(message).toMatch(/id_rsa is not an outputs file/);
    expect(message).not.toMatch('PRIVATE');
  });

  test.each([
    ['a list', []],
    ['empty', {}],
    ['some other JSON', { name: 'lead-ingest', version: '0.1.0' }],
  ])('refuses a file that is %s', (_, content) => {
    expect(refusalOf(write('other.json', content))).toMatch('other.json is not an outputs file');
  });

  test('names all missing outputs', () => {
    const { [OUTPUTS.ingestUrl]: _, [OUTPUTS.tables.tokens]: __, ...rest } = outputs;
    expect(refusalOf(write('partial.json', { Other: rest }))).toMatch(
      /^Stack Other in .*partial\.json has no IngestUrl, TokensTable\. /,
    );
  });

  test('never falls back to AWS when the address of the local stack is damaged', () => {
    const damaged = { ...outputs, [OUTPUTS.localDynamoDbEndpoint]: '' };
    expect(refusalOf(write('damaged.json', { Local: damaged }))).toMatch('is not a URL');
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
  afterAll(() => stack.close());

  /** An escape sequence, C1's one-character form of it, and a text that is displayed in another order. */
  const HOSTILE = 'a\u001b]0;b\u0007 c\u009b31m \u202egnp.exe \u2066d\u2069 e\rf \u007f';
  const leadId = '01956f00-0000-7000-8000-000000000001';

  let formId: string;
  beforeAll(async () => {
    const form = await stack.newForm();
    formId = form.formId;
    const receivedAt = '2026-03-01T00:00:00.000Z';
    const lead = { leadId, workspaceId: form.workspaceId, formId, receivedAt, surface: '1a' as const };
    const body = JSON.stringify({ text: HOSTILE, lines: 'one\r\ntwo\tthree' });
    await stack.putLeads([{ ...lead, body, score: 1, grade: 'D', clean: false, signals: [] }]);
  });

  const COMMANDS = [
    ['an export as CSV', () => ['leads', 'export', '--form', formId, '--format', 'csv']],
    ['an export as NDJSON', () => ['leads', 'export', '--form', formId, '--format', 'ndjson']],
    ['a lead', () => ['leads', 'show', leadId]],
    ['a lead as JSON', () => ['leads', 'show', leadId, '--json']],
  ] as const;

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
