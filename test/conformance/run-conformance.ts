import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { compileCacheVariables } from '../../local/compile-cache.ts';

interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
}

const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/;
const TAG = /<(\/?)([a-z]+)((?: [a-z]+="[^"<>]*")*)(\/?)>/y;
/** Characters that XML 1.0 cannot contain, and ampersands that do not begin an entity. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]|&(?!(?:amp|lt|gt|quot);)/u;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Reads XML that has only elements and attributes, and throws if it is not well-formed. */
export function readXml(xml: string): XmlElement {
  if (!DECLARATION.test(xml)) throw new Error('no XML declaration');
  if (FORBIDDEN.test(xml)) throw new Error('a character or an ampersand that XML forbids');
  const document: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [document];
  let at = DECLARATION.exec(xml)?.[0].length ?? 0;
  while (at < xml.length) {
    const blank = /\s*/y;
    blank.lastIndex = at;
    at += blank.exec(xml)?.[0].length ?? 0;
    if (at === xml.length) break;
    TAG.lastIndex = at;
    const [text, closing, name = '', attributes = '', empty] = TAG.exec(xml) ?? [];
    if (text === undefined) throw new Error(`not well-formed at ${xml.slice(at, at + 60)}`);
    at += text.length;
    if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
      continue;
    }
    const element = { name, attributes: readAttributes(attributes), children: [] };
    open.at(-1)?.children.push(element);
    if (!empty) open.push(element);
  }
  const [root, ...more] = document.children;
  if (open.length !== 1 || !root || more.length > 0) throw new Error('not one element that is closed');
  return root;
}

function readAttributes(text: string): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
    if (name in read) throw new Error(`${name} is there twice`);
    read[name] = value.replace(/&(\w+);/g, (_, entity: string) => ENTITIES[entity] as string);
  }
  return read;
}

/** What no output may show. */
export const SECRETS = /ingt_(?:srv|brw)_\w{10}|whsec_\w{10}|\b[0-9a-f]{64}\b|eyJ[\w-]{20}|@example\.com/i;

const PROGRAM = fileURLToPath(new URL('../../conformance/main.ts', import.meta.url));

export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined if none was written. */
  readonly xml: string | undefined;
}

export const failedRows = (run: Run) =>
  testCases(run).filter(({ result }) => result === 'failure' || result === 'error');

/** Runs the operator's command, in an environment without the developer's own AWS settings. May interrupt it at a step. */
export async function runConformance(
  args: readonly string[],
  { interruptAt }: { readonly interruptAt?: string } = {},
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const junit = join(folder, 'report.xml');
  try {
    const child = spawn(process.execPath, [PROGRAM, '--junit', junit, ...args], {
      env: { PATH: process.env.PATH, ...compileCacheVariables() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (interruptAt !== undefined) {
      child.stderr.on('data', function look(shown) {
        if (!String(shown).includes(interruptAt)) return;
        child.stderr.off('data', look);
        child.kill('SIGINT');
      });
    }
    const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    return { exitCode, stdout, stderr, xml: readIfThere(junit) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

interface TestCase {
  readonly section: string;
  readonly name: string;
  readonly result: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message: string;
}

/** The testcases of a report, which has to be well-formed. */
export function testCases({ xml = '' }: Pick<Run, 'xml'>): TestCase[] {
  return readXml(xml)
    .children.flatMap(({ children }) => children)
    .map(({ attributes, children: [inside] }) => ({
      section: attributes.classname ?? '',
      name: attributes.name ?? '',
      result: resultOf(inside),
      message: inside?.attributes.message ?? '',
    }));
}

function resultOf(inside: XmlElement | undefined): TestCase['result'] {
  return inside ? (inside.name as Exclude<TestCase['result'], 'passed'>) : 'passed';
}
