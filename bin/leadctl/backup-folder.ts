import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cannotWrite, Failure, fileProblem, UsageFailure } from '../operator/failure.ts';

/** Written last: a backup without it is incomplete. */
const MANIFEST = 'manifest.json';
const LINES = '.ndjson';
const FORMAT = 'lead-ingest backup 1';
/** The files contain leads and secrets. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

export interface Manifest {
  readonly format: typeof FORMAT;
  /** When the backup started. Later changes may be in it or not. */
  readonly takenAt: string;
  readonly stackName: string;
  readonly region: string;
  readonly items: Readonly<Record<string, number>>;
}

/** Makes the folder, which must be new or empty: it must not mix two backups. */
export async function makeBackupFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
    const names = await readdir(folder);
    if (names.length === 0) return;
    const incomplete = !names.includes(MANIFEST) && names.every((name) => name.endsWith(LINES));
    throw new UsageFailure(
      incomplete
        ? `${folder} contains an incomplete backup. Remove it, or choose another folder with --to.`
        : `${folder} is not empty. Choose a new folder with --to.`,
    );
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('file', `Cannot create ${folder}: ${fileProblem(error)}.`);
  }
}

/** Removes what a backup that did not finish has written. */
export async function removeBackup(folder: string, tableKeys: readonly string[]): Promise<void> {
  for (const name of [MANIFEST, ...tableKeys.map((tableKey) => tableKey + LINES)]) {
    // The error that ended the backup is the one to report.
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Returns how many lines were written. */
export async function writeLines(
  folder: string,
  tableKey: string,
  pages: AsyncIterable<readonly string[]>,
  onPage: (written: number) => void,
): Promise<number> {
  return writing(folder, tableKey + LINES, async (file) => {
    let written = 0;
    for await (const lines of pages) {
      await file.appendFile(lines.join(''));
      written += lines.length;
      onPage(written);
    }
    return written;
  });
}

export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`;
  await writing(folder, MANIFEST, (file) => file.appendFile(text));
}

async function writing<Result>(
  folder: string,
  name: string,
  write: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  let file: FileHandle | undefined;
  try {
    file = await open(join(folder, name), 'wx', OWN_FILE);
    return await write(file);
  } catch (error) {
    const { syscall = '' } = error as NodeJS.ErrnoException;
    if (!['open', 'write', 'close'].includes(syscall)) throw error;
    throw cannotWrite(join(folder, name), error);
  } finally {
    await file?.close();
  }
}

export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch (error) {
    throw new UsageFailure(
      `${folder} is not a complete backup. Cannot read its ${MANIFEST}: ${fileProblem(error)}.`,
    );
  }
  const manifest = parse(text);
  if (manifest?.format !== FORMAT || Number.isNaN(Date.parse(manifest.takenAt))) {
    throw new UsageFailure(
      `This version cannot read the backup in ${folder}: ${MANIFEST} has an unknown format.`,
    );
  }
  return manifest;
}

function parse(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}

/** Reads lines in groups, to use little memory for files of any size. */
export async function* readLines(folder: string, tableKey: string, atOnce: number): AsyncGenerator<string[]> {
  const file = join(folder, tableKey + LINES);
  const lines = createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  let group: string[] = [];
  try {
    for await (const line of lines) {
      group.push(line);
      if (group.length < atOnce) continue;
      yield group;
      group = [];
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new Failure('file', `Cannot read ${file}: ${fileProblem(error)}.`);
  }
  if (group.length > 0) yield group;
}
