import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import type { Command } from 'commander';
import { makeProgram } from '../../bin/leadctl/main.ts';
import { SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import { readSettings } from '../../lib/context.ts';
import { GITHUB_KEYS } from '../../lib/github-deployment-stack.ts';
import { openContract, submissionId } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { missingPrograms, runProgram, testUnlessMissing } from '../programs.ts';

/** A fenced block of shell commands in a document. */
interface ShellBlock {
  readonly document: string;
  readonly line: number;
  readonly text: string;
  /** What its first line says it needs, which the tests do not have. */
  readonly needs: string | undefined;
  readonly commands: readonly string[];
}

const DOCUMENTS = [...globSync('*.md'), ...globSync('docs/**/*.md')].sort();

/** Marks a block as one that no test runs, and tells readers why. */
const NEEDS = /^# needs (AWS|the npm registry|GitHub|Calendly)\b/;

const FENCE = /^```(?:sh|bash|shell|console)\n(.*?)^```$/gms;

function shellBlocks(document: string): ShellBlock[] {
  const source = readFileSync(document, 'utf8');
  return [...source.matchAll(FENCE)].map((match) => {
    const text = match[1] ?? '';
    return {
      document,
      line: source.slice(0, match.index).split('\n').length,
      text,
      needs: NEEDS.exec(text)?.[1],
      commands: commandsOf(text),
    };
  });
}

/** One per line, with continued lines joined and comments left out. */
function commandsOf(text: string): string[] {
  return text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)# .*$/, '').split('&&'))
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

/** `npm run …`, `npx --no-install leadctl …` and similar in the middle of a sentence or in a table. */
function inlineCommands(document: string): string[] {
  const prose = readFileSync(document, 'utf8').replace(/```.*?```/gs, '');
  return [...prose.matchAll(/`((?:npm|npx|node) [^`]+|leadctl [^`]+)`/g)].map(([, command = '']) => command);
}

/** Words of a command line without quotes. Enough for the documents. */
function words(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/["']/g, ''));
}

const program = await makeProgram(process, { usage: () => undefined, exitCode: () => undefined });

interface BlockLine {
  /** `['leads', 'export']`. */
  readonly names: readonly string[];
  readonly command: Command;
  readonly options: readonly string[];
}

/** The arguments of leadctl in a line of a document. */
function parse(words: readonly string[]): BlockLine {
  const names: string[] = [];
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*$/, ''));
  let command: Command = program;
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined && command.commands.length === 0) break;
    // The value of a global option comes before the command.
    if (next === undefined) {
      if (words[words.indexOf(word) - 1]?.startsWith('--')) continue;
      throw new Error(`leadctl has no ${[...names, word].join(' ')}`);
    }
    names.push(word);
    command = next;
  }
  return { names, command, options };
}

/** Throws unless the command exists, with every option that is given and every option that it requires. */
function checkLeadctl(words: readonly string[], { whole }: { readonly whole: boolean }): void {
  const { names, command, options } = parse(words);
  const known = [...program.options, ...command.options].map(({ long }) => long);
  const unknown = options.filter((option) => option !== '--help' && !known.includes(option));
  if (unknown.length > 0) throw new Error(`leadctl ${names.join(' ')} has no ${unknown.join(', ')}`);
  if (!whole || options.includes('--help')) return;
  if (command.commands.length > 0) throw new Error(`leadctl ${names.join(' ')} is not a whole command`);
  const missing = command.options.filter(({ mandatory, long }) => mandatory && !options.includes(long ?? ''));
  if (missing.length > 0) throw new Error(`leadctl ${names.join(' ')} wants ${missing[0]?.long}`);
}

/** The tests of leadctl that run the command. Those of the help do not count. */
function testsOfLeadctl(words: readonly string[]): string[] {
  const { names, options } = parse(words);
  if (options.includes('--help') || names.length === 0) return ['test/leadctl/command-line.unit.test.ts'];
  const inArray = `'${names.join("', '")}'`;
  const inTable = new RegExp(`^ *\\[?['\`]${names.join(' ')}[ '\`]`, 'm');
  const tests = globSync('test/leadctl/*.test.ts')
    .filter((file) => !/(command-line\.unit|refusals)\.test\.ts$/.test(file))
    .filter((file) => readFileSync(file, 'utf8').includes(inArray));
  const tables = globSync('test/leadctl/every-*command.ts').filter((file) =>
    inTable.test(readFileSync(file, 'utf8')),
  );
  return [...tables, ...tests];
}

const BLOCKS = DOCUMENTS.flatMap(shellBlocks);
const HERE = BLOCKS.filter(({ needs }) => needs === undefined);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** These blocks have their own test, which reads them from the document. */
const READ_BY: Readonly<Record<string, string>> = {
  'docs/send-leads.md': 'test/contract/ingest-document.test.ts',
  'docs/sources.md': 'test/contract/sources-document.test.ts',
};

/** Too slow for a test, or the command that starts the tests: run on every change by the file named here. */
const RUN_ELSEWHERE: readonly [command: RegExp, file: string, itSays: string][] = [
  [/^npm ci$/, '.ci/run', 'npm ci'],
  [/^npm test$/, '.ci/run', 'npm test'],
  [/^npm start$/, 'test/local/support/run-main.ts', 'local/main.ts'],
  [
    /^npm start -- --allow-loopback-destinations$/,
    'test/jest/start-stack.js',
    '--allow-loopback-destinations',
  ],
  [/^npx cdk synth( --quiet)?( -c stage=(dev|prod))?$/, '.ci/run', 'npx cdk synth'],
  [/^npm pack -w packages\/cdk$/, 'test/packages/cdk.full.test.ts', "['pack', '-w', 'packages/cdk'"],
  [/^npm run licenses$/, 'test/docs/packages.unit.test.ts', 'bin/licenses.ts'],
  [/^npm run conformance -- --outputs \S+$/, 'test/conformance/run-conformance.ts', 'conformance/main.ts'],
];

/** The other CDK app, which has its own settings. */
const GITHUB_APP = '-a "node bin/github-deployment.ts"';

const SETS_A_VARIABLE = /^(export )?[A-Z_]+=/;

/** A block with a `curl` is run below, as a whole, on the stack of this test run. */
const isRunBelow = ({ document, text }: ShellBlock) => !(document in READ_BY) && /^curl /m.test(text);

/** Where the command is executed; undefined if nowhere. */
function executedBy(command: string): string | undefined {
  const elsewhere = RUN_ELSEWHERE.find(([pattern]) => pattern.test(command));
  if (elsewhere) return elsewhere[1];
  const leadctl = leadctlWords(command);
  return leadctl && testsOfLeadctl(leadctl)[0];
}

function leadctlWords(command: string): string[] | undefined {
  const [, after] = /^(?:npx --no-install |node bin\/)?leadctl(?:\.ts)? (.*)$/.exec(command) ?? [];
  return after === undefined ? undefined : words(after);
}

test('the documents with commands are found', () => {
  const found = new Set(BLOCKS.map(({ document }) => document));
  expect([...found]).toEqual(
    expect.arrayContaining(['README.md', 'docs/deploy.md', 'docs/send-leads.md', 'CONTRIBUTING.md']),
  );
});

describe('every command is executed by a test, or its block says what it needs', () => {
  const commands = HERE.filter((block) => !isRunBelow(block) && !(block.document in READ_BY)).flatMap(
    ({ document, line, commands }) =>
      commands.filter((it) => !SETS_A_VARIABLE.test(it)).map((it) => [document, line, it] as const),
  );
  test.each(commands)('%s:%i %s', (_document, _line, command) => {
    const file = executedBy(command);
    expect(file).toBeDefined();
    expect(existsSync(file as string)).toBe(true);
  });

  test.each(RUN_ELSEWHERE)('%s is run by %s', (_command, file, itSays) => {
    expect(readFileSync(file, 'utf8')).toContain(itSays);
  });

  test.each(Object.entries(READ_BY))('%s is read by %s', (document, file) => {
    expect(readFileSync(file, 'utf8')).toContain(document);
  });

  test('a block that talks to AWS says so', () => {
    const silent = HERE.filter(({ text }) =>
      /^\s*(aws |npx cdk (-a "[^"]+" )?(deploy|destroy|diff|bootstrap|import))/m.test(text),
    );
    expect(silent.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
  });
});

/** `whole`: people copy it, so nothing may be left out. */
type Line = [document: string, command: string, whole: boolean];

describe('every command exists', () => {
  const inBlocks = BLOCKS.flatMap(({ document, commands }) => commands.map((it) => ({ document, it })));
  const inProse = DOCUMENTS.flatMap((document) => inlineCommands(document).map((it) => ({ document, it })));
  const all = [
    ...inBlocks.map(({ document, it }): Line => [document, it, true]),
    ...inProse.map(({ document, it }): Line => [document, it, false]),
  ];

  const npm = all.filter(([, command]) => command.startsWith('npm '));
  test.each(npm)('%s: %s', (_document, command) => {
    const [, verb = '', script = ''] = words(command);
    const builtIn = [
      'ci',
      'audit',
      'version',
      'outdated',
      'install',
      'update',
      'view',
      'pack',
      'publish',
      'sbom',
    ];
    if (verb === 'run') expect(Object.keys(scripts)).toContain(script);
    else if (!builtIn.includes(verb)) expect(Object.keys(scripts)).toContain(verb);
  });

  const leadctl = all.flatMap(([document, command, whole]) => {
    const line = leadctlWords(command);
    return line ? [[document, command, line, whole] as const] : [];
  });
  test.each(leadctl)('%s: %s', (_document, _command, line, whole) => {
    expect(() => checkLeadctl(line, { whole })).not.toThrow();
  });

  const cdk = all.filter(([, command]) => command.startsWith('npx cdk '));
  test.each(cdk)('%s: %s', (_document, command) => {
    const given = [...command.matchAll(/(?:-c|--context) ([^\s=]+)=(\S+)/g)].map(([, key, value]) => ({
      key: key as string,
      value: (value as string).replace(/"/g, ''),
    }));
    if (command.includes(GITHUB_APP)) {
      for (const { key } of given) expect(Object.keys(GITHUB_KEYS)).toContain(key);
      return;
    }
    for (const { key } of given) expect(Object.keys(SETTINGS_SCHEMA)).toContain(key);
    // Placeholders for the reader's own values cannot be read, nor the options that go with them.
    if (given.some(({ value }) => /[$…]/.test(value))) return;
    const context = Object.fromEntries(given.map(({ key, value }) => [key, value]));
    expect(() => readSettings(new App({ context }).node)).not.toThrow();
  });
});

describe('the submissions', () => {
  const blocks = HERE.filter(isRunBelow);
  const { here, title } = testUnlessMissing(missingPrograms(['bash', 'curl', 'openssl']));

  test('of the guides to the local stack and to deployment are found', () => {
    expect(blocks.map(({ document }) => document)).toEqual(['docs/deploy.md', 'docs/run-locally.md']);
  });

  here.each(blocks)(title('of $document are accepted'), async ({ text }) => {
    const contract = openContract();
    const { slug: SLUG, secret: SECRET, token: TOKEN } = await contract.newTenant();
    const { ingestUrl } = localStack();
    const folder = mkdtempSync(join(tmpdir(), 'commands-'));
    try {
      copyFileSync(process.env.LEAD_INGEST_OUTPUTS as string, join(folder, 'outputs.json'));
      const script = text.replaceAll('http://127.0.0.1:8787', ingestUrl);
      const { exitCode, stdout } = await runProgram('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: folder,
        env: { ...process.env, SLUG, SECRET, TOKEN },
      });
      expect(exitCode).toBe(0);
      const bodies = stdout.match(/\{"submission_id":"[^"]+"\}/g) ?? [];
      expect(stdout.match(/HTTP\/1\.1 202/g)).toHaveLength(2);
      expect(bodies).toHaveLength(2);
      for (const body of bodies) {
        expect(await contract.lead(submissionId({ status: 202, headers: {}, body }))).toBeDefined();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
