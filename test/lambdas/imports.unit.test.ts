import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');
const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};
const FOLDERS = ['lambdas', 'lib', 'local', 'bin', 'conformance', 'bench', 'test', 'console/src'];

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file));
}

/** A file without its comments. */
function codeOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** Every import, or only those that TypeScript's types do not erase. */
function specifiersOf(file: string, kind: 'all' | 'run time' = 'all'): string[] {
  const code = kind === 'all' ? codeOf(file) : codeOf(file).replace(TYPE_IMPORTS, '');
  const statements = /^(?:(?:import|export)\b[^'";=]*? from |import )'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...code.matchAll(statements)].map((match) => (match[1] ?? match[2]) as string);
}

/** `import type { A } from …`, and an import whose every name has `type` before it. */
const TYPE_IMPORTS =
  /^(?:import|export) (?:type [^'";]*?|\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}) from '[^']+';/gm;

/** What a file imports: packages by name, files by their path from the root. */
function importsOf(file: string, kind?: 'all' | 'run time'): string[] {
  return specifiersOf(file, kind).map((specifier) => {
    if (specifier.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(file), specifier));
    const alias = Object.keys(imports).find((name) => specifier.startsWith(name.replace('*', '')));
    if (!alias) return specifier;
    const aim = imports[alias] as string | { readonly default: string };
    const target = (typeof aim === 'string' ? aim : aim.default).replace('./', '').replace('*', '');
    return target + specifier.slice(alias.replace('*', '').length);
  });
}

const runTimeImportsOf = (file: string) => importsOf(file, 'run time');

/** These modules of ours and all that they load. */
function reachedFrom(files: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const pending = [...files];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    pending.push(...runTimeImportsOf(file).filter((each) => each.startsWith('lambdas/')));
  }
  return reached;
}

const offences = (files: string[], forbidden: (imported: string, file: string) => boolean) =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((each) => forbidden(each, file))
      .map((each) => `${file} -> ${each}`),
  );

/**
 * Which subject may import which others. Each names only subjects above it, so no circle is possible. A new capability is
 * a new line here, and submission does not know it; only what runs the life of a submission imports it.
 */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  aws: [],
  model: [],
  scoring: ['model'],
  'owner-api': ['aws', 'model'],
  rejections: ['aws', 'model', 'owner-api'],
  stats: ['aws', 'model', 'owner-api'],
  debugger: ['model', 'owner-api'],
  submission: ['aws', 'model', 'scoring', 'rejections', 'debugger'],
  browser: ['aws', 'model', 'rejections', 'submission'],
  sources: ['model', 'rejections', 'submission'],
  enrichment: ['aws', 'model', 'scoring'],
  'in-turn': ['aws'],
  recipients: ['aws'],
  sending: ['aws', 'model', 'scoring', 'owner-api', 'stats', 'enrichment', 'recipients'],
  alerts: ['aws', 'model', 'owner-api', 'rejections', 'stats', 'debugger', 'sending'],
  workspaces: ['aws', 'model', 'scoring', 'sources', 'owner-api', 'rejections', 'debugger', 'browser'],
  leads: ['aws', 'model', 'scoring', 'owner-api', 'enrichment', 'sending', 'workspaces'],
  access: ['aws', 'model', 'owner-api'],
  session: ['aws'],
  settings: ['aws', 'owner-api', 'stats', 'sending', 'alerts', 'workspaces', 'leads', 'access'],
  operator: [
    ...['aws', 'model', 'owner-api', 'rejections', 'stats', 'recipients', 'sending', 'workspaces', 'leads'],
  ],
};

const lambdas = sourceFiles('lambdas');
const subjectOf = (file: string) => file.split('/')[1] ?? '';
/** The steps of the pipeline of submissions, and of the owners' requests. */
const STEPS = new Set(
  ['lambdas/submission/pipeline.ts', 'lambdas/owner-api/owner-pipeline.ts'].flatMap((pipeline) => [
    pipeline,
    ...runTimeImportsOf(pipeline),
  ]),
);
/** Binds rules, steps and stores to each other and to the environment. */
const isWiring = (file: string) =>
  /(?:^|\/)(?:handler|index|[\w-]*dependencies|telemetry|administration)\.ts$/.test(file);
const isStore = (file: string) => file.endsWith('-store.ts');
const importsSdk = (file: string) =>
  runTimeImportsOf(file).some((each) => /^@(?:aws-sdk|smithy|middy)\//.test(each));
const isRule = (file: string) =>
  !isWiring(file) && !isStore(file) && !STEPS.has(file) && !file.startsWith('lambdas/aws/');

describe('lambdas', () => {
  test('has a subject in each folder, which imports only what the table above lists', () => {
    const wrong = offences(lambdas, (imported, file) => {
      const [from, to] = [subjectOf(file), subjectOf(imported)];
      if (!imported.startsWith('lambdas/') || imported === 'lambdas/contract.ts' || from === to) return false;
      return file !== 'lambdas/contract.ts' && !SUBJECTS[from]?.includes(to);
    });
    expect(wrong).toEqual([]);
    const folders = new Set(lambdas.map(subjectOf));
    folders.delete('contract.ts');
    expect([...folders].sort()).toEqual(Object.keys(SUBJECTS).sort());
  });

  test('has no circle of subjects, and lists no direction that nobody uses', () => {
    const order = Object.keys(SUBJECTS);
    const upward = Object.entries(SUBJECTS).flatMap(([subject, others]) =>
      others
        .filter((other) => order.indexOf(other) >= order.indexOf(subject))
        .map((other) => [subject, other]),
    );
    expect(upward).toEqual([]);
    const used = new Set(
      lambdas.flatMap((file) => importsOf(file).map((each) => `${subjectOf(file)} -> ${subjectOf(each)}`)),
    );
    const unused = Object.entries(SUBJECTS).flatMap(([subject, others]) =>
      others.map((other) => `${subject} -> ${other}`).filter((direction) => !used.has(direction)),
    );
    expect(unused).toEqual([]);
  });

  test('keeps the model free of stores, clocks and the SDK', () => {
    const model = lambdas.filter((file) => subjectOf(file) === 'model');
    expect(model.filter((file) => !isRule(file))).toEqual([]);
    expect(offences(model, (imported) => !/^node:|^lambdas\/model\//.test(imported))).toEqual([]);
  });

  test('imports the AWS SDK only in stores and in aws/', () => {
    const others = lambdas.filter((file) => !isStore(file) && !file.startsWith('lambdas/aws/'));
    expect(offences(others, (imported) => imported.startsWith('@aws-sdk/'))).toEqual([]);
  });

  test('keeps rules free of clocks, randomness, the environment and stores', () => {
    const rules = lambdas.filter(isRule);
    expect(rules.length).toBeGreaterThan(50);
    const impure = rules.filter((file) =>
      /Date\.now\(|new Date\(\)|process\.|Math\.random|random(Bytes|UUID)\(/.test(codeOf(file)),
    );
    expect(impure).toEqual([]);
    const loadingStores = rules.filter((file) => runTimeImportsOf(file).some(isStore));
    expect(loadingStores).toEqual([]);
  });

  test('imports nothing that is not deployed', () => {
    const foreign = (imported: string) => /^(lib|local|bin|test|bench|conformance|console)\//.test(imported);
    expect(offences(lambdas, foreign)).toEqual([]);
  });
});

describe('imports', () => {
  test('of lib come from lambdas only by the contract, the route table and the lists to bundle, and never from local', () => {
    const open = ['lambdas/contract.ts', 'lambdas/owner-api/route-table.ts', 'lambdas/scoring/lists.ts'];
    const outside = (imported: string) =>
      (imported.startsWith('lambdas/') && !open.includes(imported)) || imported.startsWith('local/');
    expect(offences(sourceFiles('lib'), outside)).toEqual([]);
  });

  test('climb at most two folders: beyond that there are the aliases of package.json', () => {
    const climbing = FOLDERS.flatMap(sourceFiles).flatMap((file) =>
      specifiersOf(file)
        .filter((specifier) => specifier.startsWith('../../../'))
        .map((specifier) => `${file} -> ${specifier}`),
    );
    expect(climbing).toEqual([]);
  });

  test('of the console from lambdas are rules and types, and never a store or the AWS SDK', () => {
    const fromLambdas = sourceFiles('console/src').flatMap((file) => runTimeImportsOf(file));
    const reached = reachedFrom(fromLambdas.filter((each) => each.startsWith('lambdas/')));
    expect(reached.size).toBeGreaterThan(5);
    const wrong = [...reached].filter(
      (file) => isStore(file) || isWiring(file) || STEPS.has(file) || importsSdk(file),
    );
    expect(wrong).toEqual([]);
  });

  test('of the console never name a store, not even for a type', () => {
    expect(offences(sourceFiles('console/src'), isStore)).toEqual([]);
  });

  test('leadctl reads and writes through its terminal alone, so that tests can run it in their own process', () => {
    const around = ['bin/leadctl', 'bin/operator']
      .flatMap(sourceFiles)
      .filter((file) => /\bconsole\.|\bprocess\b(?!\.(once|off)\(name, abort\))/.test(codeOf(file)));
    expect(around).toEqual([]);
  });

  test('are read at all', () => {
    expect(importsOf('lambdas/submission/ingest-server/handler.ts')).toContain(
      'lambdas/submission/pipeline.ts',
    );
    expect(importsOf('test/load/floods/floods.ts').some((each) => each.startsWith('lambdas/'))).toBe(true);
  });
});

describe('local and bench', () => {
  test('import nothing from the tests', () => {
    const files = ['local', 'bench'].flatMap(sourceFiles);
    expect(offences(files, (imported) => imported.startsWith('test/'))).toEqual([]);
  });

  test('local is independent of the bench and of the conformance run, and training of the bench', () => {
    expect(offences(sourceFiles('local'), (imported) => /^(bench|conformance)\//.test(imported))).toEqual([]);
    expect(offences(sourceFiles('training'), (imported) => imported.startsWith('bench/'))).toEqual([]);
  });
});

test('only leadctl imports leadctl: what the conformance run needs too is in bin/operator', () => {
  const others = ['local', 'bench', 'conformance', 'lib', 'bin'].flatMap(sourceFiles).filter((file) => {
    return !/^bin\/leadctl(\/|\.ts$)/.test(file);
  });
  expect(others).toContain('bin/operator/open-stack.ts');
  expect(offences(others, (imported) => /^bin\/leadctl(\/|\.ts$)/.test(imported))).toEqual([]);
});
