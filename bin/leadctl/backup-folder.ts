import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Failure, UsageFailure } from './failure.ts';

/** Written last: a folder without it is a backup that was cut short. */
const MANIFEST = 'manifest.json';
const FORMAT = 'lead-ingest backup 1';
/** It holds leads and secrets. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

export interface Manifest {
  readonly format: typeof FORMAT;
  /** When it was begun: what changed later may be in it or not. */
  readonly takenAt: string;
  readonly stackName: string;
  readonly region: string;
  readonly items: Readonly<Record<string, number>>;
}

/** Makes the folder, which must be new or empty: two backups in one would be neither. */
export async function makeBackupFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    throw new Failure('file', `${folder} cannot be made (${codeOf(error)}).`);
  }
  throw new UsageFailure(`${folder} is not empty: give a new folder for each backup.`);
}

/** Gives how many lines were written. */
export async function writeLines(
  folder: string,
  noun: string,
  pages: AsyncIterable<readonly string[]>,
  onPage: (written: number) => void,
): Promise<number> {
  return writing(folder, `${noun}.ndjson`, async (file) => {
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
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'open' && syscall !== 'write') throw error;
    throw new Failure('file', `${join(folder, name)} cannot be written (${codeOf(error)}).`);
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
      `${folder} is no whole backup: its ${MANIFEST}, which is written last, cannot be read (${codeOf(error)}).`,
    );
  }
  const manifest = parse(text);
  if (manifest?.format !== FORMAT || Number.isNaN(Date.parse(manifest.takenAt))) {
    throw new UsageFailure(`${join(folder, MANIFEST)} is not of a backup that this version can read.`);
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

/** Lines in groups, so that a file of any size takes little memory. */
export async function* readLines(folder: string, noun: string, atOnce: number): AsyncGenerator<string[]> {
  const file = join(folder, `${noun}.ndjson`);
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
    throw new Failure('file', `${file} cannot be read (${codeOf(error)}).`);
  }
  if (group.length > 0) yield group;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
