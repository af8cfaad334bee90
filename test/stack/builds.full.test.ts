import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Annotations, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import {
  ACCESS_VARIABLES,
  BROWSER_VARIABLES,
  IN_TURN_VARIABLE,
  QUEUE_VARIABLES,
  SESSION_VARIABLES,
  SETTINGS_VARIABLES,
  TABLE_VARIABLES,
} from '../../lambdas/contract.ts';
import { buildConsole, CONSOLE_SOURCES } from '../../lib/console-site/build.ts';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import { EVERY_SETTING, ownFunctions, SMALL_ACCOUNT, WITHOUT_CONSOLE, withAssembly } from './synthesize.ts';

const NAMES = [
  TABLE_VARIABLES,
  QUEUE_VARIABLES,
  SETTINGS_VARIABLES,
  ACCESS_VARIABLES,
  BROWSER_VARIABLES,
  SESSION_VARIABLES,
].flatMap((group) => Object.values(group));
const VARIABLES = Object.fromEntries(NAMES.map((name) => [name, name]));

/** Loads bundles as Lambda's runtime does, in a separate process: it has no other variables than a function has. */
function typesOfHandlers(bundles: readonly string[]): string[] {
  const script = `const types = ${JSON.stringify(bundles)}.map((bundle) => typeof require(bundle).handler);
    process.stdout.write(JSON.stringify(types))`;
  const env = { ...VARIABLES, [IN_TURN_VARIABLE]: '[]', AWS_REGION: 'eu-central-1' };
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' }));
}

/** Lambda loads this much at each cold start of an ingest function. */
const MAX_BYTES = 420_000;

/** Other credential providers than the environment, endpoint discovery, event streams: replaced by lib/service-function/code.ts. */
const PARTS_OF_THE_SDK_LEFT_OUT =
  /AssumeRoleWithWebIdentity|credential_process|endpoint_discovery_enabled|:event-type/;

/** Clients of the AWS SDK that forwarding leads needs: of mail, of the event bus and of queues. */
const CLIENTS_OF_SENDING = /SESv2|EventBridge|AmazonSQS/g;

const LAMBDAS = resolve(import.meta.dirname, '../../lambdas');

/** The functions that lambdas/sending exports. Bundles keep their names. */
const SENDING_FUNCTIONS = readdirSync(join(LAMBDAS, 'sending'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [
    ...readFileSync(join(LAMBDAS, 'sending', file), 'utf8').matchAll(/^export (?:async )?function (\w+)/gm),
  ])
  .map(([, name = '']) => name);

function partsOfSendingIn(code: string): string[] {
  const functions = SENDING_FUNCTIONS.filter((name) => code.includes(`"${name}"`));
  return [...functions, ...new Set(code.match(CLIENTS_OF_SENDING))];
}

test('each function is one file with the handler for Lambda', () => {
  withAssembly((outdir) => {
    const options = { outdir, context: SMALL_ACCOUNT, builtinCloudFormationValidation: false };
    const assembly = quietly(() => makeApp(options).synth());
    const functions = Object.values(
      ownFunctions(Template.fromJSON(assembly.getStackByName('LeadIngest-dev').template)),
    );
    expect(functions).toHaveLength(23);
    const ingest: { bytes: number; partsOfSending: string[] }[] = [];
    const sending: string[] = [];
    const bundles = functions.map(({ Properties }) =>
      join(outdir, `asset.${Properties.Code.S3Key.replace(/\.zip$/, '')}`),
    );
    for (const bundle of bundles) expect(readdirSync(bundle)).toEqual(['index.cjs']);
    const files = bundles.map((bundle) => join(bundle, 'index.cjs'));
    expect(typesOfHandlers(files)).toEqual(files.map(() => 'function'));
    for (const file of files) {
      const code = readFileSync(file, 'utf8');
      expect(code).not.toMatch(PARTS_OF_THE_SDK_LEFT_OUT);
      const partsOfSending = partsOfSendingIn(code);
      if (/makeIngest(Server|Webhook)/.test(code)) {
        ingest.push({ bytes: Buffer.byteLength(code), partsOfSending });
      }
      if (/makeSend|makeDispatch/.test(code)) sending.push(...partsOfSending);
    }
    // This also shows that function names are kept, for stack traces.
    expect(ingest).toHaveLength(2);
    expect(Math.max(...ingest.map(({ bytes }) => bytes))).toBeLessThanOrEqual(MAX_BYTES);
    // Forwarding leads makes no cold start of the ingest path slower. It would be seen if it were there:
    expect(sending).toEqual(
      expect.arrayContaining(['makeSend', 'makeDispatch', 'SESv2', 'EventBridge', 'AmazonSQS']),
    );
    expect(ingest.map(({ partsOfSending }) => partsOfSending)).toEqual([[], []]);
  });
});

/** Hides CDK's messages about bundling on stderr. */
function quietly<Result>(work: () => Result): Result {
  const { write } = process.stderr;
  process.stderr.write = () => true;
  try {
    return work();
  } finally {
    process.stderr.write = write;
  }
}

describe('the build of the console', () => {
  const ROOT = resolve(import.meta.dirname, '../..');
  const scratch = mkdtempSync(join(tmpdir(), 'console-build-test-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  /** A project of one page and one script, built by the real Vite. */
  let project: string;
  let cache: string;
  beforeEach(() => {
    project = mkdtempSync(join(scratch, 'project-'));
    cache = join(project, '../cache', project.slice(-6));
    write('index.html', '<!doctype html><script type="module" src="/main.js"></script>');
    write('main.js', "document.title = 'first';");
  });

  function write(file: string, text: string): void {
    writeFileSync(join(project, file), text);
  }

  const build = () => buildConsole({ project, cache, sources: [project] });
  const scriptsOf = (folder: string) =>
    readdirSync(join(folder, 'assets')).map((name) => readFileSync(join(folder, 'assets', name), 'utf8'));

  test('the same sources are built once', () => {
    const buildOfPage = () => buildConsole({ project, cache, sources: [join(project, 'index.html')] });
    const folder = buildOfPage();
    // No source of this build, so that it shows whether Vite runs.
    write('main.js', 'is no JavaScript');
    expect(buildOfPage()).toBe(folder);
  });

  test('changed sources make another build, and the first is kept', () => {
    const first = build();
    write('main.js', "document.title = 'second';");
    const second = build();
    expect(scriptsOf(second).join()).toContain('second');
    expect(scriptsOf(first).join()).toContain('first');
    write('main.js', "document.title = 'first';");
    expect(build()).toBe(first);
  });

  test('a failed build reports the error of Vite, and leaves nothing behind', () => {
    write('main.js', "import './missing.js';");
    expect(build).toThrow(/^The console could not be built:[\s\S]*missing\.js/);
    expect(readdirSync(cache)).toEqual([]);
  });

  describe('of old builds', () => {
    const plant = (name: string, ageMinutes: number) => {
      const at = new Date(Date.now() - ageMinutes * 60_000);
      mkdirSync(join(cache, name), { recursive: true });
      utimesSync(join(cache, name), at, at);
    };

    test('the five used last are kept', () => {
      for (const age of [10, 20, 30, 40, 50, 60]) plant(`old-${age}`, age);
      const folder = build();
      const kept = [folder.slice(cache.length + 1), 'old-10', 'old-20', 'old-30', 'old-40'];
      expect(readdirSync(cache).sort()).toEqual(kept.sort());
    });

    test('an unfinished one is removed only when its process must have ended', () => {
      plant('draft-abandoned', 61);
      plant('draft-under-way', 5);
      build();
      expect(readdirSync(cache)).toContain('draft-under-way');
      expect(readdirSync(cache)).not.toContain('draft-abandoned');
    });
  });

  /** Imports of types are removed before bundling. */
  const withoutTypes = (code: string) => code.replaceAll(/^(import|export) type [^;]*;/gm, '');

  test('the console imports only files that are sources of its build', () => {
    const outside = readdirSync(join(ROOT, 'console/src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => {
        const path = join(ROOT, 'console/src', file);
        const specifiers = withoutTypes(readFileSync(path, 'utf8')).matchAll(
          /(?:from |import\(|import )'(\.[^']+)'/g,
        );
        return [...specifiers].map(([, specifier = '']) => relative(ROOT, resolve(dirname(path), specifier)));
      })
      .filter(
        (imported) =>
          !CONSOLE_SOURCES.some((source) => imported === source || imported.startsWith(`${source}/`)),
      );
    expect(outside).toEqual([]);
  });
});

const WITHOUT_CODE = { 'aws:cdk:bundling-stacks': [] };

/** The findings of CDK's CloudFormation validation and cdk-nag, and the warnings of CDK. */
function readReports(outdir: string): unknown[] {
  return JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')).pluginReports;
}

const CONTEXTS = {
  'as it is': {},
  'with every setting': EVERY_SETTING,
  'without a console': WITHOUT_CONSOLE,
  'in a small account': SMALL_ACCOUNT,
};
const ROWS = ['dev', 'prod'].flatMap((stage) =>
  Object.entries(CONTEXTS).map(
    ([settings, context]) => ['lead-ingest.ts', `${stage} ${settings}`, { stage, ...context }] as const,
  ),
);

/** Runs a program of bin/ as `cdk synth` does, but in this process: CDK takes 10 seconds to load what it validates by. */
async function synthesizedBy(program: string, context: object): Promise<unknown[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'lead-ingest-'));
  process.env.CDK_OUTDIR = outdir;
  process.env.CDK_CONTEXT_JSON = JSON.stringify({ ...context, ...WITHOUT_CODE });
  try {
    await import(`../../bin/${program}?${outdir}`);
    return readReports(outdir);
  } finally {
    delete process.env.CDK_OUTDIR;
    delete process.env.CDK_CONTEXT_JSON;
    rmSync(outdir, { recursive: true });
  }
}

test.each([
  ...ROWS,
  ['console-firewall.ts', "the console's web ACL by itself", { stage: 'prod' }],
  ['github-deployment.ts', 'the roles for GitHub', { repository: 'acme/leads' }],
] as const)('%s, %s: neither CDK nor cdk-nag has a finding or a warning', async (program, _, context) => {
  expect(await synthesizedBy(program, context)).toEqual([]);
});

test('the checks see what cdk-nag finds, what CloudFormation refuses, and what CDK warns of', () => {
  withAssembly((outdir) => {
    const app = makeApp({ outdir, context: WITHOUT_CODE });
    const stack = app.node.children.find(Stack.isStack) as Stack;
    new Bucket(stack, 'WithoutAccessLog');
    new CfnBucket(stack, 'Odd', { accessControl: 'NoSuchControl' });
    Annotations.of(stack).addWarningV2('odd', 'Beware');

    expect(() => app.synth()).toThrow();
    const report = JSON.stringify(readReports(outdir));
    expect(report).toContain('AwsSolutions-S1');
    expect(report).toContain('NoSuchControl');
    expect(report).toContain('Beware');
  });
});

test('every feature flag that CDK recommends is set', () => {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const recommended = JSON.parse(
    readFileSync('node_modules/aws-cdk-lib/recommended-feature-flags.json', 'utf8'),
  ) as Record<string, unknown>;
  expect(Object.keys(recommended).filter((flag) => !(flag in context))).toEqual([]);
});
