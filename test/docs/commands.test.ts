import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import { readSettings } from '../../lib/context.ts';
import { GITHUB_KEYS } from '../../lib/github-deployment-stack.ts';
import { runProgram } from '../console/run-program.ts';
import { openContract, submissionId } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { missingPrograms, testUnlessMissing } from '../programs.ts';
import {
  checkLeadctl,
  DOCUMENTS,
  inlineCommands,
  type ShellBlock,
  shellBlocks,
  testsOfLeadctl,
  words,
} from './shell-blocks.ts';

const BLOCKS = DOCUMENTS.flatMap(shellBlocks);
const HERE = BLOCKS.filter(({ needs }) => needs === undefined);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** These blocks have their own test, which reads them from the document. */
const READ_BY: Readonly<Record<string, string>> = {
  'docs/send-leads.md': 'test/contract/send-leads.test.ts',
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
  [/^npm run licenses$/, 'test/docs/packages.test.ts', 'bin/licenses.ts'],
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
    const builtIn = ['ci', 'audit', 'version', 'outdated', 'install', 'update', 'view', 'pack'];
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

  test('of the README and of the guide to deployment are found', () => {
    expect(blocks.map(({ document }) => document)).toEqual(['README.md', 'docs/deploy.md']);
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
