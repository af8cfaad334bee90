import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readStackOutputs } from '../../bin/leadctl/stack-outputs.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { runLeadctl, testOutputsFile } from './run-leadctl.ts';

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

test('takes --json and --outputs before and after the command, and the file from the environment', async () => {
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

test('takes --outputs rather than the file from the environment', async () => {
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

test('names all outputs that a stack lacks', () => {
  const { [OUTPUTS.ingestUrl]: _, [OUTPUTS.tables.tokens]: __, ...rest } = outputs;
  expect(refusalOf(write('partial.json', { Other: rest }))).toMatch(
    /^Stack Other in .*partial\.json has no IngestUrl, TokensTable\. /,
  );
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

test('never falls back to AWS when the address of the local stack is damaged', () => {
  const damaged = { ...outputs, [OUTPUTS.localDynamoDbEndpoint]: '' };
  expect(refusalOf(write('damaged.json', { Local: damaged }))).toMatch('is not a URL');
});

test('asks which of several stacks is meant, and takes --stack', async () => {
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
