import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeConsole } from '../../lib/console-site/code.ts';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import { bundledCode, functionNames } from '../../lib/service-function/code.ts';
import { runProgram } from '../programs.ts';
import { EVERY_SETTING } from '../stack/synthesize.ts';

const NAME = 'lead-ingest-cdk';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** examples/own-app, in a folder outside of the repository, with the packed package. */
const folder = mkdtempSync(join(tmpdir(), 'own-app-'));
const installed = join(folder, 'node_modules', NAME);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runProgram(program, words, { cwd: folder, env: { ...process.env, ...env } });
const node = (words: readonly string[], env?: NodeJS.ProcessEnv) => run(process.execPath, words, env);

beforeAll(async () => {
  cpSync('examples/own-app', folder, { recursive: true });
  const packed = await runProgram('npm', ['pack', '-w', 'packages/cdk', '--pack-destination', folder], {
    cwd: resolve('.'),
    env: process.env,
  });
  expect(packed).toMatchObject({ exitCode: 0 });
  // Offline, and without what else the example asks for: a registry is never asked.
  const quiet = ['--offline', '--no-audit', '--no-fund', '--no-save', '--omit=dev', '--legacy-peer-deps'];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  const file = join(folder, `${NAME}-${version}.tgz`);
  expect(await run('npm', ['install', ...quiet, file])).toMatchObject({ exitCode: 0 });
  cpSync('examples/own-app/package.json', join(folder, 'package.json'));
  for (const name of ['aws-cdk-lib', 'constructs', 'typescript', '@types']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
}, 600_000);

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>;
}

const templateIn = (outdir: string, file: string): Template =>
  JSON.parse(readFileSync(join(outdir, file), 'utf8'));

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();

describe('the packed package', () => {
  test('contains JavaScript, types, assets and licenses, but no source, test or dependency', () => {
    const files = filesIn(installed);
    const kinds =
      /^(README\.md|package\.json|dist\/(cdk\.json|LICENSES\.txt|assets\/.+|(lib|lambdas)\/.+(\.js|\.d\.ts)))$/;
    expect(files.filter((file) => !kinds.test(file))).toEqual([]);
    expect(files.filter((file) => /test|esbuild|vite|build/.test(file) && !file.includes('assets/'))).toEqual(
      [],
    );
    const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(packages.sort()).toEqual(['@types', 'aws-cdk-lib', 'constructs', NAME, 'typescript'].sort());
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    );
    expect([dependencies, Object.keys(peerDependencies)]).toEqual([undefined, ['aws-cdk-lib', 'constructs']]);
    const licenses = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
    expect(licenses).toMatch(/^lead-ingest-cdk\n\nMIT License/);
    for (const name of ['react', '@middy/core', '@aws-sdk/client-dynamodb', 'tlds']) {
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
  });

  test('asks for the versions of CDK and constructs that this repository uses', () => {
    const { peerDependencies } = JSON.parse(readFileSync('packages/cdk/package.json', 'utf8'));
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const name of Object.keys(peerDependencies))
      expect(peerDependencies[name]).toBe(devDependencies[name]);
  });

  test('each bundle and each file of the console equals what is built from source, byte for byte', () => {
    const functions = join(installed, 'dist/assets/functions');
    expect(readdirSync(functions).sort()).toEqual(functionNames().sort());
    for (const name of functionNames()) {
      expect(readdirSync(join(functions, name))).toEqual(['index.cjs']);
      const same = readFileSync(join(functions, name, 'index.cjs'), 'utf8') === bundledCode(name);
      expect([name, same]).toEqual([name, true]);
    }
    const site = join(folder, 'site');
    writeConsole(site);
    const built = join(installed, 'dist/assets/console');
    expect(filesIn(built)).toEqual(filesIn(site));
    for (const file of filesIn(site)) {
      expect([file, readFileSync(join(built, file)).equals(readFileSync(join(site, file)))]).toEqual([
        file,
        true,
      ]);
    }
  });
});

/** The properties that say the same as EVERY_SETTING says in context. */
const EVERY_PROPERTY = `{
  alarmEmail: 'operator@example.com', dashboard: true, consoleFirewall: true,
  domain: { name: 'leads.example.com', certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/0aa0',
    hostedZone: { id: 'Z0123456789ABC', name: 'example.com' } },
  consoleDomain: { name: 'console.example.com', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0bb0',
    hostedZone: { id: 'Z0123456789ABC', name: 'example.com' } },
  consoleRequestsPerMinuteByAddress: 6000,
  consoleWebAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/console/1234abcd-12ab',
  ingestFirewall: true, requestsPerMinuteByAddress: 60000, requestsPerMinuteByAddressAndPath: 8000,
  apiRequestsPerSecond: 2500,
  enrichmentProvider: { url: 'https://provider.example/v1',
    secretArn: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:provider-AbCdEf',
    keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab' },
  enrichmentConcurrency: 50, indexConcurrency: 30, dispatchConcurrency: 10, mailFrom: 'leads@example.com',
  sendingConcurrency: 20, slowLaneConcurrency: 5, eventBus: true, ownerThreatProtection: true,
  deployDespiteAlarms: true, manageApiGatewayAccount: false, tags: { team: 'growth' },
}`;

const STAGES = [
  ['dev', {}, '{}'],
  ['prod', EVERY_SETTING, EVERY_PROPERTY],
] as const;

/** Assets have the hashes of their contents as names, so that equal templates deploy equal code. */
describe('the templates of an app, here in CommonJS, equal those of bin/lead-ingest.ts', () => {
  const outdirOf = (stage: string) => join(folder, `own-${stage}`);

  beforeAll(async () => {
    const apps = STAGES.map(
      ([stage, , props]) => `
        const ${stage} = new App({ outdir: ${JSON.stringify(outdirOf(stage))} });
        new LeadIngestStack(${stage}, 'LeadIngest-${stage}', { stage: '${stage}', ...${props} });
        ${stage}.synth();`,
    );
    const imports = `const { App } = require('aws-cdk-lib'); const { LeadIngestStack } = require('${NAME}');`;
    writeFileSync(join(folder, 'only-leads.cjs'), imports + apps.join(''));
    const env = { CDK_VALIDATION: 'false', CDK_CONTEXT_JSON: '{}' };
    expect(await node(['only-leads.cjs'], env)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each(STAGES)('%s', (stage, context, _props) => {
    const [own, ours] = [outdirOf(stage), join(folder, `ours-${stage}`)];
    // What bin/lead-ingest.ts does, in this process: the bundles are made already.
    makeApp({ outdir: ours, context: { stage, ...context }, builtinCloudFormationValidation: false }).synth();
    const templates = readdirSync(ours).filter((file) => file.endsWith('.template.json'));
    expect(templates).toHaveLength(2);
    for (const file of templates) expect(templateIn(own, file)).toEqual(templateIn(ours, file));
    const assets = (outdir: string) =>
      readdirSync(outdir)
        .filter((file) => file.startsWith('asset.'))
        .sort();
    expect(assets(own)).toEqual(assets(ours));
  });
});

describe('examples/own-app', () => {
  const WRONG: readonly (readonly [props: string, message: RegExp])[] = [
    ["{ stage: 'staging' }", /Type '"staging"' is not assignable to type 'StageName'/],
    ['{}', /Property 'stage' is missing/],
    ["{ stage: 'dev', mailfrom: 'a@b.example' }", /'mailfrom' does not exist in type 'LeadIngestStackProps'/],
    ["{ stage: 'dev', domain: { name: 'a.example.com' } }", /Property 'certificateArn' is missing/],
    ["{ stage: 'dev', indexConcurrency: '5' }", /Type 'string' is not assignable to type 'number/],
  ];

  test('has valid types for strict settings, and a wrong property is a type error', async () => {
    for (const [index, [props]] of WRONG.entries()) {
      const code = `import { App } from 'aws-cdk-lib';
        import { LeadIngestStack } from '${NAME}';
        new LeadIngestStack(new App(), 'Leads', ${props});`;
      writeFileSync(join(folder, `wrong-${index}.ts`), code);
    }
    const { stdout } = await node(['node_modules/typescript/bin/tsc']);
    for (const index of WRONG.keys()) rmSync(join(folder, `wrong-${index}.ts`));
    const errors = stdout.split(/^(?=\S)/m);
    // One for each wrong file, and none elsewhere.
    const files = WRONG.map((_, index) => `wrong-${index}.ts`);
    expect(errors.map((error) => error.split('(')[0])).toEqual(files);
    for (const [index, [, message]] of WRONG.entries()) expect(errors[index]).toMatch(message);
  });

  test('a wrong value stops synthesis with a clear error', async () => {
    const app = readFileSync(join(folder, 'app.ts'), 'utf8');
    writeFileSync(join(folder, 'wrong-value.ts'), app.replace('eventBus: true', "mailFrom: 'leads'"));
    const { exitCode, stderr } = await node(['wrong-value.ts']);
    rmSync(join(folder, 'wrong-value.ts'));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('SettingsError: Property "mailFrom" must be one email address, but is "leads".');
  });

  test('is synthesized: the service beside a stack that reads leads and gets alarms', async () => {
    const outdir = join(folder, 'cdk.out');
    // Without the tools of this repository on the way: neither esbuild nor Vite is there to be found.
    const env = { CDK_OUTDIR: outdir, PATH: dirname(process.execPath) };
    expect(await node(['app.ts'], env)).toMatchObject({ exitCode: 0, stderr: '' });
    const types = (file: string) => Object.values(templateIn(outdir, file).Resources).map(({ Type }) => Type);
    expect(types('Leads.template.json')).toContain('AWS::Events::EventBus');
    expect(types('Sales.template.json')).toEqual(
      expect.arrayContaining(['AWS::Events::Rule', 'AWS::SNS::Subscription', 'AWS::Lambda::Function']),
    );
  });
});
