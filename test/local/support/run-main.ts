import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Summary {
  readonly ingestUrl: string;
  readonly settingsUrl: string;
  readonly sourcesUrl: string;
  readonly consoleUrl: string;
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly cognitoEndpoint: string;
  readonly outputsFile: string;
  readonly mailFolder: string;
  readonly eventBusFile: string;
  readonly demo: {
    readonly workspaceId: string;
    readonly slug: string;
    readonly serverToken: string;
    readonly webhookSecret: string;
    readonly ownerEmail: string;
    readonly ownerPassword: string;
  };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly summary: Summary;
  readonly ended: Promise<Ended>;
}

interface Environment {
  readonly [name: string]: string;
}

const running = new Set<ChildProcess>();

/** A test that failed half-way must not leave a stack behind: it would keep the test run from ending. */
export function killLeftovers(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs `npm start` without npm, to its end. */
export function runMain(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  return follow(spawnMain(args, environment));
}

/** Runs it until it is ready. */
export async function startMain(args: readonly string[]): Promise<Running> {
  const child = spawnMain([...args, '--json', '--port', '0'], {});
  const { ended, matched } = followUntil(child, /^.*\n/);
  return { child, ended, summary: JSON.parse(await matched) };
}

/** Runs it as people do: with npm, and with output for people. */
export async function startWithNpm(args: readonly string[]) {
  const child = spawn('npm', ['start', '--', ...args, '--port', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { ended, matched } = followUntil(child, /^.*Press Ctrl-C to stop\.\n/s);
  return { child, ended, banner: await matched };
}

function followUntil(
  child: ChildProcess,
  pattern: RegExp,
): { ended: Promise<Ended>; matched: Promise<string> } {
  const ended = follow(child);
  const matched = new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      const [match] = pattern.exec(text) ?? [];
      if (match !== undefined) resolve(match);
    });
    void ended.then(({ stderr }) => reject(new Error(`It did not start: ${stderr}`)));
  });
  return { ended, matched };
}

/** The processes that have this text in their command line. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    })
    .filter((commandLine) => commandLine.includes(text));
}

/** Returns when no such process is left; the test's own time limit ends the waiting. */
export async function untilNoProcessWith(text: string): Promise<void> {
  while (processesWith(text).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

function spawnMain(args: readonly string[], environment: Environment): ChildProcess {
  return spawn(process.execPath, ['local/main.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function follow(child: ChildProcess): Promise<Ended> {
  running.add(child);
  child.once('exit', () => running.delete(child));
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...output };
}
