import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readXml, type XmlElement } from './read-xml.ts';

const PROGRAM = fileURLToPath(new URL('../../conformance/run.ts', import.meta.url));

export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined where none was written. */
  readonly xml: string | undefined;
}

/** Runs the operator's command, in an environment without the developer's own AWS settings. */
export async function runConformance(
  args: readonly string[],
  { interruptAfterMilliseconds }: { readonly interruptAfterMilliseconds?: number } = {},
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const junit = join(folder, 'report.xml');
  try {
    const child = spawn(process.execPath, [PROGRAM, '--junit', junit, ...args], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (interruptAfterMilliseconds !== undefined) {
      child.stdout.once('data', () => setTimeout(() => child.kill('SIGINT'), interruptAfterMilliseconds));
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

export interface TestCase {
  readonly section: string;
  readonly name: string;
  readonly result: 'passed' | 'failure' | 'skipped';
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
  return inside ? (inside.name as 'failure' | 'skipped') : 'passed';
}
