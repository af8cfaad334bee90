import { globSync, readFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { type Command, InvalidArgumentError } from 'commander';
import { readDuration, readMoment, wholeNumber } from '../../bin/leadctl/command-line.ts';
import { makeProgram } from '../../bin/leadctl/main.ts';
import { confirm, readSecret } from '../../bin/leadctl/operator-input.ts';
import { printedCommand, shellWord } from '../../bin/operator/terminal.ts';
import { runProgram } from '../programs.ts';
import { namesOf, runLeadctl } from './run-leadctl.ts';

const program = await makeProgram(process, { usage: () => undefined, exitCode: () => undefined });

const WITHOUT_STACK = ['listen', 'completion'];

describe('the command line', () => {
  describe('help', () => {
    test('is printed by leadctl without arguments', async () => {
      const run = await runLeadctl([]);
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      for (const word of ['workspace', 'form', 'secret', 'token', '--outputs', '--json', 'Exit status']) {
        expect(run.stdout).toMatch(word);
      }
      expect((await runLeadctl(['--help'])).stdout).toBe(run.stdout);
    });

    test.each(namesOf(program))('of %s describes it, its options and an example', async (command) => {
      const { exitCode, stdout } = await runLeadctl([...command.split(' '), '--help']);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: leadctl ${command} .*\n\n\\w[^]*?\\.\n\n`));
      expect(stdout).toMatch('--outputs <file>');
      const outputs = WITHOUT_STACK.includes(command) ? '' : ' --outputs outputs.json';
      expect(stdout).toContain(`npx --no-install leadctl${outputs} ${command}`);
    });

    test('is printed as an error for an incomplete command', async () => {
      const run = await runLeadctl(['workspace']);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toMatch(/^Usage: leadctl workspace/);
    });
  });

  describe('completion', () => {
    /** What bash would offer for the last word, which is being typed. */
    async function offered(...words: string[]): Promise<string[]> {
      const { stdout: script } = await runLeadctl(['completion', 'bash']);
      const typed = ['leadctl', ...words].map(shellWord).join(' ');
      const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _leadctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const run = await runProgram('bash', ['--norc', '-c', `${script}\n${ask}`], {
        cwd: '.',
        env: { PATH: process.env.PATH },
      });
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      return run.stdout.split('\n').filter((word) => word !== '');
    }

    test.each([
      [['wor'], ['workspace']],
      [['workspace', 'o'], ['offboard']],
      [
        ['--outputs', 'my outputs.json', 'secret', ''],
        ['set', 'rotate', '--outputs', '--stack', '--json', '--help'],
      ],
      [['secret', 'rotate', '--g'], ['--grace']],
      [
        ['send', '--surface', ''],
        ['1a', '1b', '1c'],
      ],
      [['leads', 'list', '--form', ''], []],
      [['completion', 'z'], ['zsh']],
    ])('%j is completed to %j', async (words, expected) => {
      expect(await offered(...words)).toEqual(expected);
    });

    test.each(['bash', 'zsh', 'fish'])('%s knows every command and option', async (shell) => {
      const { stdout } = await runLeadctl(['completion', shell]);
      const visit = (command: Command): string[] => [
        ...command.commands.map((each) => each.name()),
        ...command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long?.slice(2) ?? []))),
        ...command.commands.flatMap(visit),
      ];
      expect(visit(program).filter((word) => !stdout.includes(word))).toEqual([]);
    });
  });

  test('no document or message names a command that could install a package of that name from the registry', () => {
    const files = globSync([
      '*.md',
      '{docs,packages}/**/*.md',
      '{bin,conformance,console,lib,local}/**/*.{ts,tsx}',
    ]);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'local/command-line.ts']));
    expect(files.filter((file) => readFileSync(file, 'utf8').includes(['npx', 'leadctl'].join(' ')))).toEqual(
      [],
    );
  });

  test('a printed command quotes its values, and nothing else', () => {
    expect(printedCommand`form create --workspace ${'ws_1'} --name "Contact us"`).toBe(
      'form create --workspace ws_1 --name "Contact us"',
    );
    expect(printedCommand`diagnostics --request ${"$(reboot) it's"}`).toBe(
      `diagnostics --request '$(reboot) it'\\''s'`,
    );
    expect(printedCommand`dlq list ${['--queue', 'a b']}`).toBe("dlq list --queue 'a b'");
    expect(printedCommand`dlq list ${[]}`).toBe('dlq list');
  });

  test('--version prints the version of the project, which the package shares', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await runLeadctl(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  describe('a wrong command line exits 2 with one sentence', () => {
    test.each([
      ['an unknown group', ['workspaces', 'list'], "Unknown command 'workspaces'. Did you mean workspace?"],
      ['an unknown command', ['form', 'delete', 'form_1'], "Unknown command 'delete'."],
      ['an unknown option', ['workspace', 'list', '--all'], "Unknown option '--all'."],
      ['a missing option', ['workspace', 'create'], "Required option '--name <name>' not specified."],
      ['a missing value', ['workspace', 'create', '--name'], "Option '--name <name>' argument missing."],
      ['a missing id', ['workspace', 'resume'], "Missing required argument 'id'."],
      ['one id too many', ['workspace', 'resume', 'ws_1', 'ws_2'], "Too many arguments for 'resume'."],
      ['an empty id', ['workspace', 'resume', ''], 'The workspace ID cannot be empty.'],
      ['the id of something else', ['form', 'activate', 'ws_1'], 'ws_1 is a workspace ID'],
      ['no outputs file', ['workspace', 'list'], 'No stack selected.'],
    ])('%s', async (_, args, sentence) => {
      const run = await runLeadctl(args);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toMatch(/^leadctl: [^\n]+\n$/);
      expect(run.stderr).toContain(sentence);
    });

    test.each([
      ['an unknown option', ['--all', 'workspace', 'list', '--json'], "Unknown option '--all'."],
      ['an incomplete command', ['workspace', '--json'], 'The command is incomplete'],
    ])('%s, as JSON', async (_, args, sentence) => {
      const run = await runLeadctl(args);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(JSON.parse(run.stderr)).toEqual({
        error: { code: 'usage', message: expect.stringContaining(sentence) },
      });
    });
  });

  test.each([
    ['0', 0],
    ['0h', 0],
    ['90m', 5_400_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('reads %s', (text, milliseconds) => {
    expect(readDuration(text)).toBe(milliseconds);
  });

  test.each(['', '12', '-1h', '1.5h', '24H', '1w', '1h30m', ' 1h', '1e3m', '9999999d'])(
    'refuses "%s"',
    (text) => {
      expect(() => readDuration(text)).toThrow('Use 0, or minutes');
    },
  );

  test('reads whole numbers within their bounds, and nothing else', () => {
    const read = wholeNumber(1, 1_000);
    expect(['1', '007', '1000'].map((text) => read(text))).toEqual([1, 7, 1_000]);
    for (const text of ['', '0', '1001', '-1', '1.5', '1e2', ' 1', 'ten', '9999999999']) {
      expect(() => read(text)).toThrow(InvalidArgumentError);
    }
  });
});

describe('questions to the operator', () => {
  function terminalWith(typed: string) {
    const stderr = new PassThrough();
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    stdin.end(typed);
    return { stdin, stderr, shown: () => String(stderr.read()) };
  }

  test.each(['yes\n', ' Yes \n', 'YES\n'])('continues after %j', async (typed) => {
    const terminal = terminalWith(typed);
    await confirm('suspend workspace ws_1', {}, terminal);
    expect(terminal.shown()).toBe('Type yes to suspend workspace ws_1: ');
  });

  test.each(['no\n', 'y\n', '\n', 'yes please\n', ''])(
    'does nothing after %j, and exits 1',
    async (typed) => {
      await expect(confirm('suspend workspace ws_1', {}, terminalWith(typed))).rejects.toMatchObject({
        code: 'declined',
        message: 'Canceled. Nothing was changed.',
        exitCode: 1,
      });
    },
  );

  test('does not ask when --yes is given', async () => {
    const terminal = terminalWith('no\n');
    await confirm('suspend workspace ws_1', { yes: true }, terminal);
    expect(terminal.stderr.read()).toBeNull();
  });

  const SECRET = 'top-secret-ünïcode';
  const input = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

  test.each([
    ['a line', input(`${SECRET}\n`)],
    ['a line of Windows', input(`${SECRET}\r\n`)],
    ['text without a line end', input(SECRET)],
    ['pieces that cut a character', input(...[...Buffer.from(SECRET)].map((byte) => Buffer.of(byte)))],
  ])('reads %s', async (_, stdin) => {
    expect(await readSecret(stdin)).toBe(SECRET);
  });

  test('keeps white space, which is refused later: it may be intended', async () => {
    expect(await readSecret(input(` ${SECRET} \n`))).toBe(` ${SECRET} `);
  });

  test.each([
    ['nothing', input(), 'is empty'],
    ['an empty line', input('\n'), 'is empty'],
    ['two lines', input(`${SECRET}\n${SECRET}\n`), 'is one line'],
    ['a whole file', input(SECRET.repeat(1_000)), 'too long for a secret'],
    ['bytes that are no UTF-8', input(SECRET, Buffer.of(0xff)), 'not UTF-8'],
    [
      'what is typed at a terminal, where it shows',
      Object.assign(input(), { isTTY: true }),
      'file or a pipe',
    ],
  ])('refuses %s', async (_, stdin, problem) => {
    await expect(readSecret(stdin)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(problem),
    });
  });
});

describe('a moment', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');

  test.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T08:00Z', '2026-11-15T08:00:00.000Z'],
    ['2026-11-15T08:00:30+02:00', '2026-11-15T06:00:30.000Z'],
    ['36h', '2026-11-14T00:00:00.000Z'],
    ['7d', '2026-11-08T12:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(readMoment(text, undefined, now)).toBe(moment);
  });

  test('must exist in the calendar', () => {
    expect(() => readMoment('2026-02-31T25:00Z', undefined, now)).toThrow('Use a date');
  });
});
