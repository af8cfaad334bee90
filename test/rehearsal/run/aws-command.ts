import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { filesIn } from '#local/console/bucket-files.ts';
import { globPattern } from '#local/glob.ts';
import { askS3, sendToS3 } from './client-s3.ts';

// Stands for the `aws` command of the handler's layer: what CDK's handler calls of it, with the same calls to S3. One
// process runs all commands of a handler: each is a line with its words, and the line that follows it is the exit code.

/** The words of a command. */
function parse(words: readonly string[]) {
  return parseArgs({
    args: [...words],
    allowPositionals: true,
    tokens: true,
    options: {
      delete: { type: 'boolean' },
      recursive: { type: 'boolean' },
      exclude: { type: 'string', multiple: true },
      include: { type: 'string', multiple: true },
      'cache-control': { type: 'string' },
      'metadata-directive': { type: 'string' },
    },
  });
}

type Parsed = ReturnType<typeof parse>;

interface Place {
  readonly bucket: string;
  readonly key: string;
}

function onS3(address: string): Place {
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
  if (bucket === undefined) throw new Error(`not an address on S3: ${address}`);
  return { bucket, key };
}

async function keysBelow({ bucket, key }: Place): Promise<string[]> {
  const query = `?list-type=2&prefix=${encodeURIComponent(key)}`;
  const { Contents } = await askS3<{ Contents: { Key: string }[] }>(bucket, query);
  return Contents.map(({ Key }) => Key);
}

/** The last filter that matches decides, and what none matches is taken. */
function isTaken({ tokens }: Parsed, path: string): boolean {
  const filters = tokens.flatMap((token) =>
    token.kind === 'option' && (token.name === 'exclude' || token.name === 'include')
      ? [{ takes: token.name === 'include', pattern: globPattern(token.value ?? '') }]
      : [],
  );
  return filters.findLast(({ pattern }) => pattern.test(path))?.takes ?? true;
}

let exitCode = 0;

/** The real command goes on after a failure too, and ends with 1. */
async function attempt(what: string, task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    console.error(`${what} failed: ${error}`);
    exitCode = 1;
  }
}

/** From S3 to a file, or into a folder. */
async function copy(source: string, target: string): Promise<void> {
  const { bucket, key } = onS3(source);
  const isFolder = (await stat(target).catch(() => undefined))?.isDirectory();
  await sendToS3('HEAD', bucket, key);
  await writeFile(isFolder ? join(target, basename(key)) : target, await sendToS3('GET', bucket, key));
}

/** From a folder to S3. What was just extracted is newer than what is there, so that everything is uploaded. */
async function sync(parsed: Parsed, folder: string, target: string): Promise<void> {
  const { values } = parsed;
  const { bucket, key } = onS3(target);
  const prefix = key === '' || key.endsWith('/') ? key : `${key}/`;
  const there = await keysBelow({ bucket, key: prefix });
  const files = filesIn(folder).filter((path) => isTaken(parsed, path));
  const cacheControl = values['cache-control'];
  const headers: Record<string, string> = cacheControl === undefined ? {} : { 'cache-control': cacheControl };
  for (const path of files) {
    const body = await readFile(join(folder, path));
    await attempt(`upload of ${path}`, () => sendToS3('PUT', bucket, prefix + path, { headers, body }));
  }
  if (!values.delete) return;
  const kept = new Set(files.map((path) => prefix + path));
  const gone = there.filter((it) => !kept.has(it) && isTaken(parsed, it.slice(prefix.length)));
  for (const it of gone) await attempt(`delete of ${it}`, () => sendToS3('DELETE', bucket, it));
}

async function removeAll(target: string): Promise<void> {
  const { bucket, key } = onS3(target);
  for (const it of await keysBelow({ bucket, key })) {
    await attempt(`delete of ${it}`, () => sendToS3('DELETE', bucket, it));
  }
}

async function run(words: readonly string[]): Promise<void> {
  const parsed = parse(words);
  const [service, command, from = '', to = ''] = parsed.positionals;
  if (service === 's3' && command === 'cp') return copy(from, to);
  if (service === 's3' && command === 'sync') return sync(parsed, from, to);
  if (service === 's3' && command === 'rm' && parsed.values.recursive) return removeAll(from);
  throw new Error('this stand-in does not know the command');
}

for await (const line of createInterface({ input: process.stdin })) {
  exitCode = 0;
  await attempt(line, () => run(JSON.parse(line)));
  process.stdout.write(`${exitCode}\n`);
}
