import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Defect, isSameProgram, plant } from './plant.ts';
import { renameLocals } from './rename-locals.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Planted {
  readonly file: string;
  readonly source: string;
}

/** The planted sources by the names of their defects, or why there is none. */
export function plantAll(defects: readonly Defect[]): ReadonlyMap<string, Planted | Error> {
  const planted = new Map(
    defects.map((defect) => [defect.name, attempt(() => plantWhateverTheNames(defect))]),
  );
  const variants = [...planted].flatMap(([name, sources]) =>
    sources instanceof Error ? [] : sources.map((source) => ({ name, source })),
  );
  const said = compile(variants.map(({ source }) => source));
  return new Map(
    [...planted].map(([name, sources]) => {
      const errors = said.filter((_, index) => variants[index]?.name === name).join('');
      if (errors) return [name, new Error(`The defect "${name}" does not compile: ${errors}`)];
      return [name, sources instanceof Error ? sources : sources[0]];
    }),
  );
}

/** Also plants it in a source where every local variable has another name, where it must be the same defect. */
function plantWhateverTheNames(defect: Defect): [Planted, Planted] {
  const { name, file } = defect;
  const real = readFileSync(join(ROOT, file), 'utf8');
  const source = plant(defect, real);
  const renamed = plant(
    defect,
    renameLocals(real, file, (local) => `${local}_renamed`),
  );
  if (isSameProgram(source, real)) throw new Error(`The defect "${name}" changes nothing`);
  if (source === renamed || !isSameProgram(source, renamed.replaceAll('_renamed', '')))
    throw new Error(`The defect "${name}" is another one if local variables are renamed`);
  return [
    { file, source },
    { file, source: renamed },
  ];
}

function attempt<Result>(work: () => Result): Result | Error {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}

/**
 * What the compiler says about each source. A defect must be a program that somebody could merge: in one that doesn't
 * compile, the schedules would find that, and not the defect.
 */
function compile(sources: readonly Planted[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const nameOf = ({ file }: Planted, index: number) => file.slice(1).replace(/ts$/, `planted-${index}.ts`);
  try {
    cpSync(join(ROOT, 'lambdas'), join(folder, 'lambdas'), { recursive: true });
    for (const name of ['node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(folder, name));
    for (const [index, each] of sources.entries())
      writeFileSync(join(folder, nameOf(each, index)), each.source);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.json'),
        // A defect may leave a name unused.
        compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
        include: ['lambdas/**/*.planted-*.ts'],
      }),
    );
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    const { status, stdout } = spawnSync(compiler, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    const lines = stdout.split('\n');
    const said = sources.map((each, index) =>
      lines.filter((line) => line.includes(nameOf(each, index))).join('\n'),
    );
    if (status !== 0 && said.every((text) => text === '')) throw new Error(`The compiler failed: ${stdout}`);
    return said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
