import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { type Closers, makeClosers } from '#local/lifecycle.ts';
import { ASSEMBLY_SOURCES, synthesize } from '#local/synthesize.ts';
import { buildConsole } from '../../lib/console-site/build.ts';
import { testUnlessMissing } from '../programs.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const scratch = temporaryFolder('start-caches');

describe('a synthesized stack', () => {
  const data = { assembly: join(scratch, 'cdk.out'), cache: join(scratch, 'cache') };
  const kept = () => readdirSync(join(data.cache, 'assemblies'));
  const cameFromCache = () => existsSync(join(data.assembly, 'kept'));
  let closers: Closers;
  beforeAll(async () => {
    closers = makeClosers();
    // Not built again: that is not what this is about.
    cpSync(buildConsole(), join(data.cache, 'console', basename(buildConsole())), { recursive: true });
    await synthesize(data, closers);
    for (const name of kept()) writeFileSync(join(data.cache, 'assemblies', name, 'kept'), '');
  });
  afterEach(() => {
    delete process.env.CDK_TEST;
  });
  afterAll(() => closers.close());

  test('is used again by the next starts, also at the same time', async () => {
    expect(kept()).toHaveLength(1);
    const other = { ...data, assembly: join(scratch, 'other') };
    const [one, two] = await Promise.all([synthesize(data, closers), synthesize(other, closers)]);
    expect(cameFromCache()).toBe(true);
    expect(existsSync(join(other.assembly, 'kept'))).toBe(true);
    expect(one.template).toEqual(two.template);
    expect(kept()).toHaveLength(1);
  });

  test('is made again when a variable says something else, and both are kept', async () => {
    process.env.CDK_TEST = 'changed';
    await synthesize(data, closers);
    expect(cameFromCache()).toBe(false);
    expect(kept()).toHaveLength(2);
  });

  test('depends on no other file of the repository', async () => {
    const { metafile } = await build({
      entryPoints: [join(ROOT, 'bin/lead-ingest.ts')],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      write: false,
      metafile: true,
      absWorkingDir: ROOT,
    });
    const inputs = Object.keys(metafile.inputs).map((file) => relative(ROOT, join(ROOT, file)));
    expect(inputs).toContain('lib/kept-builds.ts');
    const isSource = (file: string) =>
      ASSEMBLY_SOURCES.some((source) => file === source || file.startsWith(`${source}/`));
    expect(inputs.filter((file) => !isSource(file))).toEqual([]);
  });
});

/** Of a user who can read the repository but not write to it. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const canBeNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['--version'], { ...NOBODY, cwd: ROOT }).status === 0;

(canBeNobody ? describe : describe.skip)('a checkout that the user cannot write to', () => {
  const home = join(scratch, 'home of nobody');
  beforeAll(() => {
    mkdirSync(home);
    for (const path of [scratch, home]) chownSync(path, NOBODY.uid, NOBODY.gid);
  });

  async function start(args: readonly string[], until: RegExp) {
    const child = spawn(process.execPath, ['local/main.ts', '--json', '--port', '0', ...args], {
      ...NOBODY,
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    const complaints = text(child.stderr);
    let line = '';
    for await (const chunk of child.stdout) {
      line += chunk;
      if (until.test(line)) child.kill('SIGTERM');
    }
    const [code] = await closed;
    return { code, line, stderr: await complaints };
  }

  test('starts, and keeps what it builds in the data folder', async () => {
    const started = await start(['--data', join(home, 'data')], /\n/);
    expect(started).toMatchObject({ code: 0, line: expect.stringMatching(/^\{"ingestUrl"/) });
    expect(existsSync(join(home, 'data/cache/assemblies'))).toBe(true);
  });

  test('says in one line what to do about the default data folder', async () => {
    const { code, stderr } = await start(['--data', join(ROOT, 'test/not-there')], /never/);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: Cannot use .*not-there as data folder: EACCES.* Choose another with --data, or use --ephemeral\.\n$/,
    );
  });
});

describe('the class that starts DynamoDB Local', () => {
  // Another version may arrange the same class differently.
  const compiler = spawnSync('javac', ['-version'], { encoding: 'utf8' }).stdout ?? '';
  const { here, title } = testUnlessMissing(compiler.startsWith('javac 17.') ? [] : ['JDK 17']);

  here(title('is what npm run make:loopback-server makes of its source'), () => {
    const folder = mkdtempSync(join(scratch, 'loopback-server-'));
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const command = scripts['make:loopback-server'].replace('-d local/dynamodb', `-d ${folder}`);
    expect(spawnSync('sh', ['-c', command]).status).toBe(0);
    const classesIn = (path: string) =>
      readdirSync(path)
        .filter((name) => name.endsWith('.class'))
        .map((name) => [name, readFileSync(join(path, name), 'base64')]);
    expect(classesIn(folder)).toEqual(classesIn('local/dynamodb'));
  });
});
