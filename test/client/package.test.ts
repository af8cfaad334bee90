import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openContract } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { runProgram } from '../programs.ts';
import { installClient } from './install-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
const installed = join(folder, 'node_modules/lead-ingest-client');
let file = '';
beforeAll(async () => {
  file = await installClient(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Without the Node that npm scripts find first, which is the one that runs the tests. */
const PATH = process.env.PATH?.split(delimiter)
  .filter((each) => !each.includes('node_modules'))
  .join(delimiter);
const env = { ...process.env, PATH };
const run = (program: string, ...words: string[]) => runProgram(program, words, { cwd: folder, env });
const manifestOf = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

test('the packed file is below 10 KB and has neither sources nor dependencies', () => {
  expect(statSync(file).size).toBeLessThan(10_000);
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  const modules = ['api', 'endpoint', 'index', 'send-lead'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]);
  expect(files.sort()).toEqual(
    ['README.md', 'dist', 'package.json', ...['LICENSE', ...modules].map((name) => `dist/${name}`)].sort(),
  );
  const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(packages).toEqual(['lead-ingest-client']);
});

test('npm refuses to publish it, it has the version of the stack, and runs nothing when installed', () => {
  const { private: isPrivate, version, scripts, dependencies } = manifestOf(installed);
  expect({ isPrivate, version, dependencies }).toEqual({ isPrivate: true, version: manifestOf('.').version });
  expect(Object.keys(scripts)).toEqual(['prepack']);
});

test.each([
  'packages/client/README.md',
  'docs/send-leads.md',
  'console/src/pages/delivery/snippets/node-client.ts',
])('%s installs the file of this version, and never a name from a registry', (document) => {
  const installs = readFileSync(document, 'utf8').match(/npm (?:install|i|add) [^\n'`]+/g);
  expect(new Set(installs)).toEqual(
    new Set([`npm install ./lead-ingest-client-${manifestOf('.').version}.tgz`]),
  );
});

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('its types work in a project with modules as %s, resolved as by %s', async (module, resolution) => {
  const code = `
    import { type Accepted, type Lead, LeadNotSentError, makeClient, sign } from 'lead-ingest-client';
    const lead: Lead = { name: 'Ada' };
    const client = makeClient({ baseUrl: 'https://x.example', token: 't', giveUpAfterMilliseconds: 1 });
    makeClient({ baseUrl: 'https://x.example', slug: 'a', secret: 's' });
    makeClient({ sourcesUrl: 'https://x.example', token: 't' });
    export const answer: Accepted = await client.sendLead(lead, { signal: new AbortController().signal });
    export const id: string = answer.submission_id + sign('1', '{}', 's');
    export const attempts = (error: unknown): number => error instanceof LeadNotSentError ? error.attempts : 0;
    // @ts-expect-error: no secret
    makeClient({ baseUrl: 'https://x.example', slug: 'a' });
    // @ts-expect-error: two credentials
    makeClient({ baseUrl: 'https://x.example', slug: 'a', secret: 's', token: 't' });
    // @ts-expect-error: not an object
    await client.sendLead('{}');`;
  writeFileSync(join(folder, 'use.mts'), code);
  const { stdout, exitCode } = await run(
    resolve('node_modules/.bin/tsc'),
    ...['--noEmit', '--strict', '--target', 'es2022', '--module', module, '--moduleResolution', resolution],
    ...['--typeRoots', resolve('node_modules/@types'), '--types', 'node', 'use.mts'],
  );
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
});

test.each(['docs/send-leads.md', 'packages/client/README.md'])(
  'the code of %s is accepted',
  async (document) => {
    const [, code = ''] = /```js\n(import .*?)```/s.exec(readFileSync(document, 'utf8')) ?? [];
    writeFileSync(join(folder, 'documented.mjs'), `${code}\nconsole.log(submission_id);`);
    const contract = openContract();
    const { token: TOKEN, formId } = await contract.newTenant();
    const env = { ...process.env, TOKEN, BASE_URL: localStack().ingestUrl };
    const { stdout } = await runProgram('node', ['documented.mjs'], { cwd: folder, env });
    expect(await contract.lead(stdout.trim())).toMatchObject({ formId });
  },
);

/** What Node 18 lacks, or has only in its last versions. The compiler already refuses what is newer than ES2022. */
const REMOVE_NEWER = `
  import 'node:http';
  await fetch('data:,');
  for (const name of ['crypto', 'navigator', 'WebSocket', 'CustomEvent', 'File']) delete globalThis[name];
  delete AbortSignal.any;
  for (const name of ['canParse', 'parse']) delete URL[name];
  for (const name of ['getBuiltinModule', 'loadEnvFile']) delete process[name];
`;

describe('the installed package', () => {
  test.each([
    ['with what came after Node 18 removed', process.execPath, REMOVE_NEWER],
    ['with the Node of this machine', 'node', ''],
  ])('sends %s', async (_, node, before) => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.url} ${request.headers['x-svc-idempotency-key']}`);
      if (seen.length === 1) request.socket.destroy();
      else request.resume().on('end', () => response.writeHead(202).end('{"submission_id":"id-1"}'));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    writeFileSync(join(folder, 'before.mjs'), before);
    writeFileSync(
      join(folder, 'send.mjs'),
      `import { makeClient } from 'lead-ingest-client';
       const address = { baseUrl: 'http://127.0.0.1:${port}', slug: 'contact' };
       const client = makeClient({ ...address, secret: 'whsec_x', giveUpAfterMilliseconds: 20_000 });
       const { signal } = new AbortController();
       console.log(await client.sendLead({ name: 'Ada' }, { idempotencyKey: 'key-1', signal }));`,
    );
    const sent = await run(node, '--import', './before.mjs', 'send.mjs');
    server.close();
    expect(sent).toEqual({ exitCode: 0, stdout: "{ submission_id: 'id-1' }\n", stderr: '' });
    expect(seen).toEqual(['/api/v1/ingest/contact key-1', '/api/v1/ingest/contact key-1']);
  });
});
